import { open } from 'node:fs/promises'

const leastBytes = 4 * 1024 * 1024

/** Reads whole files into a buffer that the next read overwrites. */
export class WholeFile {
  #buffer = Buffer.alloc(0)

  /** @throws the system's error. */
  async read(path: string): Promise<Buffer> {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      if (this.#buffer.length < size)
        this.#buffer = Buffer.allocUnsafeSlow(Math.max(size, leastBytes))
      let at = 0
      while (at < size) {
        const { bytesRead } = await file.read(this.#buffer, at, size - at, at)
        if (bytesRead === 0) break
        at += bytesRead
      }
      return this.#buffer.subarray(0, at)
    } finally {
      await file.close()
    }
  }
}
