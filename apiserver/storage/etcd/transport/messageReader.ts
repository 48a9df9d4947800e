const headBytes = 5

/** A message as sent: not compressed, and with its length. Source: "gRPC over HTTP2", Length-Prefixed-Message. */
export function withLength(message: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + message.length)
  bytes[0] = 0
  bytes.writeUInt32BE(message.length, 1)
  bytes.set(message, headBytes)
  return bytes
}

/** Splits the bytes of a call into messages. */
export class MessageReader {
  #parts: Buffer[] = []
  #length = 0

  /** The messages that end in `bytes`. @throws Error if one is compressed. */
  read(bytes: Buffer): Buffer[] {
    const messages: Buffer[] = []
    this.#parts.push(bytes)
    this.#length += bytes.length
    for (;;) {
      const end = this.#firstEnd()
      if (end === undefined || end > this.#length) return messages
      const all = this.#joined()
      if (all[0] !== 0) throw new Error('a message is compressed')
      const rest = all.subarray(end)
      this.#parts = rest.length === 0 ? [] : [rest]
      this.#length = rest.length
      messages.push(all.subarray(headBytes, end))
    }
  }

  /** End of the first message; undefined: not known yet. */
  #firstEnd(): number | undefined {
    if (this.#length < headBytes) return undefined
    const first = this.#parts[0]
    const head = first !== undefined && first.length >= headBytes ? first : this.#joined()
    return headBytes + head.readUInt32BE(1)
  }

  #joined(): Buffer {
    const [first = Buffer.alloc(0)] = this.#parts
    if (this.#parts.length <= 1) return first
    const all = Buffer.concat(this.#parts)
    this.#parts = [all]
    return all
  }
}
