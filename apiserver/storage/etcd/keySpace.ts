import type { Sealing } from '../encryption/sealing.ts'
import type { StoredValue } from '../storage.ts'
import { toNumber, type KeyValue, type Range } from './messages.ts'
import { withRevision } from './valueBytes.ts'

/**
 * Layout of the keys in etcd. `<prefix>` is `--etcd-prefix`, without a slash at its end:
 *
 *    <prefix>/o<key>      an object, under its key, which begins with a slash; see `valueBytes.ts`
 *    <prefix>/g/<name>    empty; written with each write that is decided under a guard of that name
 *    <prefix>/m/format    the format, and the names that the data depends on, in JSON
 *    <prefix>/m/mark      empty; written to find out how far a watch has progressed
 */
export class KeySpace {
  /** Range of all keys. */
  readonly all: Range
  readonly format: Buffer
  readonly mark: Buffer
  /** Encryption of values. */
  readonly sealing: Sealing
  readonly #objects: string
  readonly #guards: string

  constructor(prefix: string, sealing: Sealing) {
    this.sealing = sealing
    const root = prefix.replace(/\/+$/, '')
    this.all = rangeOf(Buffer.from(`${root}/`))
    this.format = Buffer.from(`${root}/m/format`)
    this.mark = Buffer.from(`${root}/m/mark`)
    this.#objects = `${root}/o`
    this.#guards = `${root}/g/`
  }

  key(key: string): Buffer {
    return Buffer.from(this.#objects + key)
  }

  guardKey(name: string): Buffer {
    return Buffer.from(this.#guards + name)
  }

  /** Range of all guards. */
  get guards(): Range {
    return rangeOf(Buffer.from(this.#guards))
  }

  /** Name of a guard; undefined: not a guard. */
  guardName(bytes: Uint8Array): string | undefined {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    return text.startsWith(this.#guards) ? text.slice(this.#guards.length) : undefined
  }

  /** Objects with keys that begin with `prefix`, at or after the key `start`. */
  range(prefix: string, start = prefix): Range {
    const { rangeEnd, key } = rangeOf(this.key(prefix))
    const from = this.key(start)
    return { key: Buffer.compare(from, key) > 0 ? from : key, rangeEnd }
  }

  /** Loads keys needed for decrypting these values; undefined: nothing to load. */
  prepare(kvs: readonly (KeyValue | null | undefined)[]): Promise<void> | undefined {
    return this.sealing.prepare(valuesOf(kvs))
  }

  /** Value of a prepared object. @throws StorageError Sealed, Unavailable. */
  stored(key: string, { modRevision, value }: KeyValue): StoredValue {
    const revision = toNumber(modRevision)
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return { key, revision, value: withRevision(this.sealing.open(key, bytes), revision) }
  }

  /** Key of an object; undefined: not an object. */
  objectKey(bytes: Uint8Array): string | undefined {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    return text.startsWith(this.#objects) ? text.slice(this.#objects.length) : undefined
  }
}

function* valuesOf(
  kvs: readonly (KeyValue | null | undefined)[],
): Generator<Uint8Array | undefined> {
  for (const kv of kvs) yield kv?.value
}

/** Range of a prefix, which never ends with the highest byte, since UTF-8 has none. */
function rangeOf(prefix: Buffer): Range & { rangeEnd: Buffer } {
  const rangeEnd = Buffer.from(prefix)
  const last = rangeEnd.length - 1
  rangeEnd[last] = (rangeEnd[last] ?? 0) + 1
  return { key: prefix, rangeEnd }
}
