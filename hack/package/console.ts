/** Builds the web console into `dist/console`, from where the server serves it. */
import { buildConsole } from './console/buildConsole.ts'

const { firstLoad } = await buildConsole('dist/console')
const kibibytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`
process.stdout.write(
  `console: first load ${kibibytes(firstLoad.gzip)} compressed, ${kibibytes(firstLoad.raw)} in all\n`,
)
