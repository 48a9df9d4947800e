/** Runs only the differential test: `npx tsx test/differential/main.ts [--only PATTERN]`. */
import { ConsoleReport } from '../conformance/support/consoleReport.ts'
import { parseOptions } from '../conformance/support/options.ts'
import { copyProgram } from '../conformance/support/program.ts'
import { runClients } from '../conformance/support/runClients.ts'
import { Workspace } from '../conformance/support/workspace.ts'
import { differentialClient } from './differentialClient.ts'

const options = parseOptions(process.argv.slice(2), process.env)
if (options !== undefined) {
  const workspace = new Workspace()
  process.once('exit', () => workspace.close())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const report = new ConsoleReport((text) => process.stdout.write(text))
  const around = { workspace, program: copyProgram(workspace) }
  await runClients([differentialClient(around)], options, report)
  process.exit(report.finish() ? 0 : 1)
}
