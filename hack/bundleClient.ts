import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { addOnDemandFiles } from './package/onDemandFiles.ts'
import {
  clientIsPure,
  lazyRe2,
  machineCodeStays,
  namesOnDemand,
  unusedVariants,
} from './package/plugins.ts'

/**
 * Joins the modules of the command-line client into a folder, as the program `main.js`. Each command is a chunk of its
 * own, loaded when it is run. `installed` are packages that stay packages. @returns the files that went into it.
 */
export async function bundleClient(
  folder: string,
  installed: readonly string[],
): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: ['cli/main.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    mainFields: ['module', 'main'],
    platform: 'node',
    target: 'node20',
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
    legalComments: 'none',
    // Packages in the older module format ask for Node's own modules by this function.
    banner: {
      js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
    },
    alias: { punycode: 'punycode/punycode.js' },
    plugins: [machineCodeStays(installed), clientIsPure, unusedVariants, lazyRe2, namesOnDemand],
  })
  await addOnDemandFiles(join(folder, 'chunks'))
  await chmod(join(folder, 'main.js'), 0o755)
  return metafile
}
