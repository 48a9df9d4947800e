import { existsSync, rmSync } from 'node:fs'
import module from 'node:module'
import { getAsset } from 'node:sea'
import { basename, delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { filesIn } from './archive.ts'
import { unpacked } from './unpack.ts'

// Entry point of an executable: unpacks the program, and runs the server or, under another name, the command-line
// client.

/** Version and digest of the files in this executable. */
declare const PROGRAM_VERSION: string

/** Compile cache of Node 22.1 and newer. */
interface CodeCache {
  enableCompileCache?: (folder: string) => unknown
}

const { folder, isTemporary } = unpacked(filesIn(Buffer.from(getAsset('program'))), PROGRAM_VERSION)
if (isTemporary) process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
else if (!process.env['NODE_COMPILE_CACHE'])
  // Compiled code is cached beside the program, where no other user can write.
  (module as CodeCache).enableCompileCache?.(join(folder, 'compiled'))

const entry = ownFile(process.argv[2])
if (entry !== undefined) {
  // Scripts of `envtest` start parts of the program by file name.
  process.argv.splice(1, 2, entry)
  load(entry)
} else {
  const called = calledAs(process.argv0)
  const isServer = basename(called).includes('apiserver')
  process.argv[1] = called
  load(join(folder, isServer ? 'dist/apiserver/main.js' : 'dist/cli/main.js'))
}

/** File of the program with a name; undefined: not a file of the program. */
function ownFile(word = ''): string | undefined {
  const inside = relative(folder, word)
  const isInside = isAbsolute(word) && !inside.startsWith('..') && !isAbsolute(inside)
  return isInside && /\.js$/.test(word) && existsSync(word) ? word : undefined
}

/** Path of the program as called, with symbolic links: the name selects the server or the client, and its names. */
function calledAs(word: string): string {
  if (word.includes('/') || word.includes(sep)) return resolve(word)
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const suffixes = process.platform === 'win32' ? ['', '.exe'] : ['']
  const files = folders.flatMap((each) => suffixes.map((suffix) => resolve(each, word + suffix)))
  return files.find((file) => existsSync(file)) ?? process.execPath
}

/** Loads a module from the disk: only modules on the disk can import others from there. */
function load(file: string): void {
  // Sound: the file is written beside the program.
  const start = module.createRequire(file)(join(folder, 'load.cjs')) as (url: string) => unknown
  void start(pathToFileURL(file).href)
}
