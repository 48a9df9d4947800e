import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Call } from '../differential/call.ts'
import type { Normal } from '../differential/normalise.ts'

/** A request, and what the real kube-apiserver answered when the objects of all seeds were there. */
export interface Vector {
  /** Identifier of the request. */
  id: string
  call: Call
  answer: Normal
}

const folder = join(import.meta.dirname, 'recorded')
const extension = '.jsonl.br'
/** Recorded answers repeat each other far apart. */
const windowBits = 24

export function vectorId(call: Call): string {
  return createHash('sha256').update(JSON.stringify(call)).digest('hex').slice(0, 10)
}

/** The titles of the kinds that have vectors, in order. */
export function recordedTitles(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension))
    .map((path) => basename(path, extension))
    .sort()
}

export function readVectors(title: string): Vector[] {
  const text = brotliDecompressSync(readFileSync(fileOf(title))).toString()
  // The file holds what was recorded.
  return text.split('\n').map((line) => JSON.parse(line) as Vector)
}

/** Forgets every vector. */
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
