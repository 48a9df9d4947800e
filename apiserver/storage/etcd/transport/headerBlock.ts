/**
 * Header blocks of calls. Neither side uses the dynamic table: requests contain literals alone, and the settings of the
 * connection forbid it for responses, so that blocks do not depend on each other. Source: RFC 7541.
 */
import { decodeHuffman } from './huffman.ts'

export interface RequestHeaders {
  path: string
  authority: string
  isSecure: boolean
  /** Further headers, with names in lower case. */
  more: Readonly<Record<string, string>>
}

/** Fields of a response that say how the call ended. */
export interface ResponseFields {
  httpStatus?: string
  grpcStatus?: string
  grpcMessage?: string
}

/** Indexes in the static table. */
const indexed = { authority: 1, post: 3, path: 4, http: 6, https: 7, contentType: 31 }
const statuses: readonly string[] = ['200', '204', '206', '304', '400', '404', '500']
const firstStatus = 8
const lastStatic = 61

export function encodeHeaders({ path, authority, isSecure, more }: RequestHeaders): Buffer {
  return Buffer.concat([
    integer(indexed.post, 7, 0x80),
    integer(isSecure ? indexed.https : indexed.http, 7, 0x80),
    ...[integer(indexed.path, 4), text(path)],
    ...[integer(indexed.authority, 4), text(authority)],
    ...[integer(indexed.contentType, 4), text('application/grpc')],
    ...Object.entries({ te: 'trailers', ...more }).flatMap(([name, value]) => [
      ...[integer(0, 4), text(name), text(value)],
    ]),
  ])
}

/** @throws Error if the block is damaged. */
export function decodeHeaders(block: Buffer): ResponseFields {
  const reader = new BlockReader(block)
  const fields: ResponseFields = {}
  while (!reader.isAtEnd) {
    const { name, value } = reader.field()
    if (name === ':status') fields.httpStatus = value
    if (name === 'grpc-status') fields.grpcStatus = value
    if (name === 'grpc-message') fields.grpcMessage = unescaped(value)
  }
  return fields
}

/** Reads fields; names and values of static entries that are not used are empty. */
class BlockReader {
  readonly #block: Buffer
  #at = 0

  constructor(block: Buffer) {
    this.#block = block
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#block.length
  }

  field(): { name: string; value: string } {
    const first = this.#peek()
    if ((first & 0x80) !== 0) return this.#static(this.#integer(7))
    if ((first & 0xe0) === 0x20) {
      // The size of the dynamic table, which is not used.
      this.#integer(5)
      return { name: '', value: '' }
    }
    const index = this.#integer((first & 0x40) === 0 ? 4 : 6)
    const name = index === 0 ? this.#text() : this.#static(index).name
    return { name, value: this.#text() }
  }

  #static(index: number): { name: string; value: string } {
    if (index === 0 || index > lastStatic) throw new Error(`a header has the index ${index}`)
    const value = statuses[index - firstStatus]
    return value === undefined ? { name: '', value: '' } : { name: ':status', value }
  }

  #text(): string {
    const isHuffman = (this.#peek() & 0x80) !== 0
    const length = this.#integer(7)
    const bytes = this.#block.subarray(this.#at, this.#at + length)
    if (bytes.length < length) throw new Error('a header is cut off')
    this.#at += length
    return isHuffman ? decodeHuffman(bytes) : bytes.toString('latin1')
  }

  #integer(bits: number): number {
    const most = 2 ** bits - 1
    let value = this.#next() & most
    if (value < most) return value
    for (let factor = 1; factor < 2 ** 28; factor *= 128) {
      const byte = this.#next()
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
    throw new Error('a header has a number that is too large')
  }

  #peek(): number {
    const byte = this.#block[this.#at]
    if (byte === undefined) throw new Error('a header is cut off')
    return byte
  }

  #next(): number {
    const byte = this.#peek()
    this.#at++
    return byte
  }
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([integer(bytes.length, 7), bytes])
}

/** A number in the low `bits` of a byte, and in further bytes if it is larger. */
function integer(value: number, bits: number, high = 0): Buffer {
  const most = 2 ** bits - 1
  if (value < most) return Buffer.of(high | value)
  const bytes = [high | most]
  let left = value - most
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) | 128)
  return Buffer.from([...bytes, left])
}

function unescaped(message: string): string {
  try {
    return decodeURIComponent(message)
  } catch {
    return message
  }
}
