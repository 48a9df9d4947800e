import type { Range } from './messages.ts'

/** Layout of the keys in etcd. `<prefix>` is `--etcd-prefix`, without a slash at its end:
 *
 *    <prefix>/o<key>      an object, under its key, which begins with a slash; see `valueBytes.ts`
 *    <prefix>/m/format    which format that is, and the names it depends on: JSON
 *    <prefix>/m/mark      empty; written where nothing else can tell how far a watch has come
 */
export class KeySpace {
  /** Everything. */
  readonly all: Range
  readonly format: Buffer
  readonly mark: Buffer
  readonly #objects: string

  constructor(prefix: string) {
    const root = prefix.replace(/\/+$/, '')
    this.all = rangeOf(Buffer.from(`${root}/`))
    this.format = Buffer.from(`${root}/m/format`)
    this.mark = Buffer.from(`${root}/m/mark`)
    this.#objects = `${root}/o`
  }

  key(key: string): Buffer {
    return Buffer.from(this.#objects + key)
  }

  /** Objects whose keys begin with `prefix`, from the key `start` on. */
  range(prefix: string, start = prefix): Range {
    const { rangeEnd, key } = rangeOf(this.key(prefix))
    const from = this.key(start)
    return { key: Buffer.compare(from, key) > 0 ? from : key, rangeEnd }
  }

  /** The key of an object; undefined: it is something else. */
  objectKey(bytes: Uint8Array): string | undefined {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    return text.startsWith(this.#objects) ? text.slice(this.#objects.length) : undefined
  }
}

/** No prefix ends with the highest byte: UTF-8 has none. */
function rangeOf(prefix: Buffer): Range & { rangeEnd: Buffer } {
  const rangeEnd = Buffer.from(prefix)
  const last = rangeEnd.length - 1
  rangeEnd[last] = (rangeEnd[last] ?? 0) + 1
  return { key: prefix, rangeEnd }
}
