import type { ClassicLevel, Iterator } from 'classic-level'

/** The part of LevelDB's interface in use. Keys are compared as UTF-8 bytes. Tests inject faults here. */
export interface Database {
  /** Opens the database again after it was closed. */
  reopen(): Promise<void>
  /** Waits for operations in progress. */
  close(): Promise<void>
  /** Writes all or nothing, synced to disk when it resolves. The caller may change the values afterwards. */
  write(writes: readonly DiskWrite[]): Promise<void>
  getMany(keys: string[]): Promise<(Buffer | undefined)[]>
  /** Removes replaced and deleted entries from the files. */
  shrink(): Promise<void>
  /** Pages of entries in key order, from a snapshot at the time of the call. */
  scan(range: DiskRange): AsyncIterable<[string, Buffer][]>
}

export type DiskWrite = { type: 'put'; key: string; value: Buffer } | { type: 'del'; key: string }

/** Both ends inclusive. */
export interface DiskRange {
  gte: string
  lte: string
}

/** The first character after '/': an upper bound of keys that begin with '…/'. */
export const afterSlash = '0'

type AnyLevel = Pick<
  ClassicLevel<string, Buffer>,
  'open' | 'close' | 'put' | 'batch' | 'getMany' | 'iterator'
> &
  Partial<Pick<ClassicLevel<string, Buffer>, 'compactRange'>>

const encodings = { keyEncoding: 'utf8', valueEncoding: 'buffer' }
const scanEntries = 1000
const scanBytes = 1024 * 1024

/**
 * Opens LevelDB. Compression is off: it makes reads up to 1.8 times slower. The write buffer keeps its default of 4 MB;
 * a larger one stalls writes when it is flushed. Rejects with LevelDB's own errors.
 */
export async function openLevel(
  folder: string,
  { syncsWrites = true, ...options }: { createIfMissing: boolean; syncsWrites?: boolean },
): Promise<Database> {
  const { ClassicLevel } = await import('./classicLevel.ts')
  const level = new ClassicLevel<string, Buffer>(folder, {
    ...encodings,
    ...options,
    compression: false,
  })
  await level.open()
  return adapt(level, syncsWrites)
}

/** Reports whether the database is open in another process or elsewhere in this one. */
export async function isLocked(folder: string): Promise<boolean> {
  const { ClassicLevel } = await import('./classicLevel.ts')
  const level = new ClassicLevel(folder)
  // LevelDB takes its lock before it reports that the database exists, and before it reads anything.
  const error: unknown = await level
    .open({ createIfMissing: false, errorIfExists: true })
    .catch((thrown: unknown) => thrown)
  await level.close()
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'LEVEL_LOCKED'
}

/** An in-memory database that lives as long as the object; closing and reopening it keeps its data. */
export async function openMemory(): Promise<Database> {
  const { MemoryLevel } = await import('memory-level')
  const level = new MemoryLevel<string, Buffer>(encodings)
  await level.open()
  // Sound: adapt uses only methods of every abstract-level database; the types differ in other options.
  const database = adapt(level as unknown as AnyLevel, false)
  // The database keeps a reference to the given bytes.
  return { ...database, write: (writes) => database.write(writes.map(withOwnBytes)) }
}

function withOwnBytes(write: DiskWrite): DiskWrite {
  return write.type === 'put' ? { ...write, value: Buffer.from(write.value) } : write
}

function adapt(level: AnyLevel, sync: boolean): Database {
  return {
    reopen: () => level.open({ createIfMissing: false }),
    close: () => level.close(),
    write: (writes) => writeAll(level, writes, sync),
    getMany: (keys) => level.getMany(keys),
    // An in-memory database has nothing to remove.
    shrink: () => level.compactRange?.('', '\u{10ffff}') ?? Promise.resolve(),
    scan: (range) =>
      pages(level.iterator<string, Buffer>({ ...range, highWaterMarkBytes: scanBytes })),
  }
}

/**
 * Writes a single entry with a put, since its batch is built on a thread, and several as a chained
 * batch. Per entry, that costs the main thread a fifth of an array batch, which clones every
 * operation.
 */
async function writeAll(
  level: AnyLevel,
  writes: readonly DiskWrite[],
  sync: boolean,
): Promise<void> {
  const [first] = writes
  if (writes.length === 1 && first?.type === 'put') {
    await level.put(first.key, first.value, { sync })
    return
  }
  const batch = level.batch()
  for (const write of writes) {
    if (write.type === 'put') batch.put(write.key, write.value)
    else batch.del(write.key)
  }
  await batch.write({ sync })
}

async function* pages(
  iterator: Iterator<unknown, string, Buffer>,
): AsyncGenerator<[string, Buffer][]> {
  try {
    // The next page is read while the caller handles this one.
    let coming = iterator.nextv(scanEntries)
    for (;;) {
      const page = await coming
      if (page.length === 0) return
      coming = iterator.nextv(scanEntries)
      coming.catch(() => {}) // awaited in the next round, unless the caller stops here
      yield page
    }
  } finally {
    await iterator.close()
  }
}
