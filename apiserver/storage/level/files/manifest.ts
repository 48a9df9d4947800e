import { ByteReader } from './byteReader.ts'

/** The files of a database according to its manifest. */
export interface Manifest {
  /** Table sizes in bytes by table number. */
  tables: Map<number, number>
  /** The oldest log still in use. */
  logNumber: number
}

const comparator = 1
const logNumber = 2
const nextFileNumber = 3
const lastSequence = 4
const compactPointer = 5
const deletedFile = 6
const newFile = 7
const previousLogNumber = 9

/**
 * The state after all records of a manifest. @throws RangeError if a record is malformed, or if they do not result in a
 * state.
 */
export function readManifest(records: readonly Buffer[]): Manifest {
  const manifest: Manifest = { tables: new Map(), logNumber: -1 }
  for (const record of records) applyEdit(manifest, record)
  if (manifest.logNumber < 0) throw new RangeError('it names no log')
  return manifest
}

function applyEdit(manifest: Manifest, record: Buffer): void {
  const reader = new ByteReader(record)
  const removed: number[] = []
  const added: [number, number][] = []
  while (!reader.isAtEnd) {
    const tag = reader.varint()
    if (tag === comparator) reader.slice()
    else if (tag === logNumber) manifest.logNumber = reader.varint()
    else if (tag === nextFileNumber || tag === previousLogNumber || tag === lastSequence)
      reader.varint()
    else if (tag === compactPointer) skipPointer(reader)
    else if (tag === deletedFile) removed.push(levelThenNumber(reader))
    else if (tag === newFile) added.push(readNewFile(reader))
    else throw new RangeError(`it has a record with the unknown tag ${tag}`)
  }
  // A file that changes its level is in both lists.
  for (const number of removed) manifest.tables.delete(number)
  for (const [number, size] of added) manifest.tables.set(number, size)
}

function skipPointer(reader: ByteReader): void {
  reader.varint()
  reader.slice()
}

function levelThenNumber(reader: ByteReader): number {
  reader.varint()
  return reader.varint()
}

function readNewFile(reader: ByteReader): [number, number] {
  const number = levelThenNumber(reader)
  const size = reader.varint()
  reader.slice()
  reader.slice()
  return [number, size]
}
