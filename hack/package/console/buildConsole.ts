import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { manifestName, type ConsoleFile } from '../../../apiserver/console/consoleFiles.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}
const source = new URL('../../../console/', import.meta.url).pathname
const scriptEntry = 'console/main.tsx'
const styleEntry = 'console/design/console.css'

/** Bytes that a browser loads before it renders the first page. */
export interface BuiltConsole {
  firstLoad: { raw: number; gzip: number }
}

/** Builds the console into a folder, which is emptied first: its files, each also compressed, and their list. */
export async function buildConsole(folder: string): Promise<BuiltConsole> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: join(source, '..'),
    entryPoints: [scriptEntry, styleEntry],
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    outdir: 'out',
    write: false,
    metafile: true,
    legalComments: 'external',
    logLevel: 'warning',
  })
  const files = new Map<string, Buffer>(
    outputFiles.map(({ path, contents }) => [
      path.slice(path.lastIndexOf('/out/') + '/out/'.length),
      Buffer.from(contents),
    ]),
  )
  const first = firstFiles(metafile)
  files.set('index.html', await page(first))
  files.set('icon.svg', await readFile(join(source, 'design/icon.svg')))
  await rm(folder, { recursive: true, force: true })
  const manifest: Record<string, ConsoleFile> = {}
  for (const [path, bytes] of files) manifest[path] = await write(folder, path, bytes)
  await writeFile(join(folder, manifestName), JSON.stringify(manifest))
  return { firstLoad: await firstLoad(first, files) }
}

interface FirstFiles {
  script: string
  style: string
  /** Modules that the script imports, to be loaded at the same time. */
  imported: string[]
}

function firstFiles({ outputs }: Metafile): FirstFiles {
  const outputOf = (entry: string) => {
    const [path] = Object.entries(outputs).find(([, made]) => made.entryPoint === entry) ?? []
    if (path === undefined) throw new Error(`esbuild wrote nothing for ${entry}`)
    return path
  }
  const script = outputOf(scriptEntry)
  const imported = new Set<string>()
  const follow = (path: string) => {
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind !== 'import-statement' || imported.has(next)) continue
      imported.add(next)
      follow(next)
    }
  }
  follow(script)
  const below = (path: string) => path.replace(/^out\//, '')
  return {
    script: below(script),
    style: below(outputOf(styleEntry)),
    imported: [...imported].map(below),
  }
}

async function page({ script, style, imported }: FirstFiles): Promise<Buffer> {
  const template = await readFile(join(source, 'index.html'), 'utf8')
  const links = [
    `<link rel="stylesheet" href="${style}">`,
    ...imported.map((path) => `<link rel="modulepreload" href="${path}">`),
    `<script type="module" src="${script}"></script>`,
  ]
  return Buffer.from(template.replace('<!-- files -->', links.join('\n    ')))
}

async function write(folder: string, path: string, bytes: Buffer): Promise<ConsoleFile> {
  const to = join(folder, path)
  await mkdir(dirname(to), { recursive: true })
  await writeFile(to, bytes)
  await writeFile(`${to}.br`, await brotli(bytes))
  await writeFile(`${to}.gz`, await gzipped(bytes))
  const type = types[extname(path)]
  if (type === undefined) throw new Error(`the media type of ${path} is not known`)
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { type, tag, encodings: ['br', 'gz'], isHashed: path.startsWith('assets/') }
}

async function firstLoad(
  { script, style, imported }: FirstFiles,
  files: ReadonlyMap<string, Buffer>,
): Promise<BuiltConsole['firstLoad']> {
  const loaded = ['index.html', script, style, ...imported].map((path) => files.get(path))
  const sizes = await Promise.all(
    loaded.map(async (bytes = Buffer.alloc(0)) => [bytes.length, (await gzipped(bytes)).length]),
  )
  const sum = (index: number) => sizes.reduce((total, size) => total + (size[index] ?? 0), 0)
  return { raw: sum(0), gzip: sum(1) }
}

function gzipped(bytes: Buffer): Promise<Buffer> {
  return promisify(gzip)(bytes, { level: 9 })
}

function brotli(bytes: Buffer): Promise<Buffer> {
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return promisify(brotliCompress)(bytes, { params })
}
