import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { build, type Metafile } from 'esbuild'

type Outputs = Metafile['outputs']

/**
 * Bundles everything that a start of the server or of kube-apiserver loads, beyond what their commands have loaded, into
 * one script, `server.cjs` in the folder of chunks. Unlike a module, a script can be compiled from a code cache, and one file is
 * opened instead of forty. The bundled modules become lists of names, for modules that are loaded on demand and share
 * them.
 */
export async function joinServerScript(folder: string, outputs: Outputs): Promise<void> {
  const dist = relative('', folder) // as in the names of the outputs
  const chunks = join(dist, 'chunks')
  const loaded = new Set<string>()
  for (const path of entries(outputs, '/main.ts', '/etcd.ts', '/runKubeApiserver.ts'))
    closure(outputs, path, loaded)
  for (const path of entries(outputs, 'Thread.ts'))
    closure(outputs, path, loaded, ['dynamic-import'])
  const started = new Set<string>()
  for (const path of entries(outputs, 'apiserver/server.ts', '/openClusterServer.ts'))
    closure(outputs, path, started)
  const joined = [...started].filter((path) => !loaded.has(path))
  const around = new Set(joined.flatMap((path) => imports(outputs, path, ['import-statement'])))
  const loadedNames = [...around].filter((path) => loaded.has(path)).map((path) => basename(path))
  await build({
    stdin: { contents: joined.map(exportAll).join('\n'), resolveDir: process.cwd() },
    ...{ bundle: true, format: 'cjs', platform: 'node', target: 'node20', legalComments: 'none' },
    ...{ minifyWhitespace: true, minifySyntax: true, sourcemap: true, sourcesContent: false },
    outfile: join(chunks, 'server.cjs'),
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: '(function(module,require,moduleUrl,importModule){' },
    footer: { js: '})' },
    logLevel: 'warning',
    plugins: [
      {
        name: 'outside-of-the-script',
        setup: (bundler) => {
          bundler.onResolve({ filter: /\.js$/ }, ({ path, kind }) => {
            const isOutside = kind === 'dynamic-import' || loadedNames.includes(basename(path))
            return isOutside ? { path: `./${basename(path)}`, external: true } : undefined
          })
        },
      },
    ],
  })
  adaptScript(join(chunks, 'server.cjs'))
  writeFileSync(join(chunks, 'serverScript.js'), loader(loadedNames))
  for (const [index, path] of joined.entries()) {
    writeFileSync(path, names(index, path, outputs[path]?.exports ?? []))
  }
}

function exportAll(path: string, index: number): string {
  return `export * as part${index} from ${JSON.stringify(resolve(path))}`
}

/** A file and all its static imports, recursively. `kinds` are followed as well. */
function closure(
  outputs: Outputs,
  from: string,
  found = new Set<string>(),
  kinds: readonly string[] = [],
): Set<string> {
  if (found.has(from)) return found
  found.add(from)
  for (const path of imports(outputs, from, ['import-statement', ...kinds]))
    closure(outputs, path, found, kinds)
  return found
}

/**
 * Outputs of entry points and of modules that are loaded on demand, by the ends of their names. Threads, etcd and the
 * help of kube-apiserver must not load the server's script for the few modules that they share with it.
 */
function entries(outputs: Outputs, ...endings: string[]): string[] {
  return endings.flatMap((ending) => {
    const found = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint?.endsWith(ending))
    if (found.length === 0) throw new Error(`no module …${ending} has an output of its own`)
    return found
  })
}

function imports(outputs: Outputs, path: string, kinds: readonly string[]): string[] {
  return (outputs[path]?.imports ?? [])
    .filter(({ kind, external }) => kinds.includes(kind) && external !== true)
    .map((imported) => imported.path)
}

/**
 * Makes the loader import for the script, since a script from a code cache cannot, and keeps the script to one byte per
 * character, which the engine reads fastest. @throws Error for an import that the loader would not see.
 */
function adaptScript(path: string): void {
  const source = readFileSync(path, 'utf8')
    .replaceAll(/\bimport\((?=["'][\w./:@-]+["']\))/g, 'importModule(')
    .replaceAll(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  const left = /.{0,40}\bimport(\(|\.meta).{0,40}/.exec(source)
  if (left !== null) throw new Error(`cannot be imported from a script: ${left[0]}`)
  writeFileSync(path, source)
}

/** Module that runs the script, with its code cache if that matches the script and the engine. */
function loader(loadedNames: readonly string[]): string {
  const imports = loadedNames.map((name, index) => `import*as m${index} from'./${name}';`)
  const modules = loadedNames.map((name, index) => `'./${name}':m${index}`)
  return `${imports.join('')}const modules={${modules.join(',')}};\n${runScript}`
}

// The engine rejects a cache of another version or of other flags, but does not check its content, and only compares
// the length of the script: a damaged cache would crash the process. Therefore the cache begins with a digest of both.
const runScript = `import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
const filename = fileURLToPath(new URL('server.cjs', import.meta.url))
const cacheFile = fileURLToPath(new URL('server.cache', import.meta.url))
const source = readFileSync(filename)
const text = source.latin1Slice()
// Test runners load modules into a separate context; a script would run in the context of the runtime, which has
// different errors and arrays.
const isOwnContext = new Script('Object').runInThisContext() === Object
const script = isOwnContext ? new Script(text, { filename, cachedData: codeCache() }) : undefined
const run = script?.runInThisContext() ?? (0, eval)(text + '\\n//# sourceURL=' + filename)
const require = createRequire(import.meta.url)
const module = { exports: {} }
const load = (name) => modules[name] ?? require(name)
run(module, load, import.meta.url, (name) => import(name))
export const parts = module.exports
export const usesCodeCache = script?.cachedDataRejected === false
export function writeCodeCache() {
  const code = script.createCachedData()
  writeFileSync(cacheFile + '.partial', Buffer.concat([digest(code), code]))
  renameSync(cacheFile + '.partial', cacheFile)
}
function codeCache() {
  try {
    const file = readFileSync(cacheFile)
    const code = file.subarray(32)
    return digest(code).equals(file.subarray(0, 32)) ? code : undefined
  } catch {
    return undefined
  }
}
function digest(code) {
  return createHash('sha256').update(source).update(code).digest()
}
`

function names(index: number, path: string, exported: readonly string[]): string {
  const script = path.includes('/apiserver/') ? '../chunks/serverScript.js' : './serverScript.js'
  if (exported.length === 0) return `import'${script}';\n`
  const list = exported.join(',')
  return `import{parts}from'${script}';const{${list}}=parts.part${index};export{${list}};\n`
}
