import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { addOnDemandFiles } from './onDemandFiles.ts'
import { bundleOptions } from './bundleOptions.ts'

/**
 * Bundles the modules of the command-line client into a folder, as the program `main.js`. Each command is a chunk,
 * loaded when it runs. `installed` lists packages that stay packages. @returns the bundled files.
 */
export async function bundleClient(
  folder: string,
  installed: readonly string[],
): Promise<Metafile> {
  const { metafile } = await build({
    ...bundleOptions(installed),
    entryPoints: ['cli/main.ts'],
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    // Less to read at each start. Names stay, for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
  })
  await addOnDemandFiles(join(folder, 'chunks'))
  await chmod(join(folder, 'main.js'), 0o755)
  return metafile
}
