import { copyFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build, type Metafile } from 'esbuild'

const { resolve } = createRequire(import.meta.url)

/**
 * Adds files that a program loads on demand from beside its other chunks: the expression sandbox, and Go regular
 * expressions. @returns the bundled files of the latter.
 */
export async function addOnDemandFiles(chunks: string): Promise<Metafile> {
  mkdirSync(chunks, { recursive: true })
  const sandbox = createRequire(resolve('quickjs-emscripten')).resolve(
    '@jitl/quickjs-wasmfile-release-sync/wasm',
  )
  copyFileSync(sandbox, `${chunks}/emscripten-module.wasm`)
  const { metafile } = await build({
    ...{ bundle: true, platform: 'node', target: 'node20', legalComments: 'none' },
    entryPoints: ['re2js'],
    format: 'cjs',
    outfile: `${chunks}/re2js.cjs`,
    metafile: true,
  })
  return metafile
}
