import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Call } from '../differential/call.ts'
import type { Normal } from '../differential/normalise.ts'

/** Request with the response of the real kube-apiserver when the objects of all seeds existed. */
export interface Vector {
  /** Identifier of the request. */
  id: string
  call: Call
  answer: Normal
}

const folder = join(import.meta.dirname, 'recorded')
const extension = '.jsonl.br'
/** Compression window; recorded responses contain repetitions that are far apart. */
const windowBits = 24

export function vectorId(call: Call): string {
  return createHash('sha256').update(JSON.stringify(call)).digest('hex').slice(0, 10)
}

/** Titles of the kinds with vectors, in order. */
export function recordedTitles(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension))
    .map((path) => basename(path, extension))
    .sort()
}

export function readVectors(title: string): Vector[] {
  const text = brotliDecompressSync(readFileSync(fileOf(title))).toString()
  // The file contains what was recorded.
  return text.split('\n').map((line) => JSON.parse(line) as Vector)
}

/** Deletes all vectors. */
export function removeVectors(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
}

export function writeVectors(title: string, vectors: readonly Vector[]): void {
  const text = vectors.map((vector) => JSON.stringify(vector)).join('\n')
  const { BROTLI_PARAM_LGWIN: window, BROTLI_PARAM_SIZE_HINT: size } = constants
  const params = { [window]: windowBits, [size]: text.length }
  const file = fileOf(title)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, brotliCompressSync(text, { params }))
}

/** File of a title such as `pods` or `jobs.v1.batch`, in the folder of its API group. */
function fileOf(title: string): string {
  const [, , group = 'core'] = title.split('.')
  return join(folder, group, `${title}${extension}`)
}
