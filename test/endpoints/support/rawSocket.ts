import { connect, type Socket } from 'node:net'

/** Connection on which the test controls every byte. */
export class RawSocket {
  readonly socket: Socket
  #text = ''
  #isClosed = false
  readonly #waiting = new Set<() => void>()

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      this.#text += text
      this.#wake()
    })
    // Some tests expect the server to cut the connection.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#isClosed = true
      this.#wake()
    })
  }

  static open(port: number): Promise<RawSocket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      const raw = new RawSocket(socket)
      socket.once('connect', () => resolve(raw))
      socket.once('error', reject)
    })
  }

  write(text: string): void {
    this.socket.write(text, 'latin1')
  }

  /**
   * All data so far, once it contains `wanted`. Rejects if the server closes the connection before.
   */
  async until(wanted: string | RegExp): Promise<string> {
    const holds = () =>
      typeof wanted === 'string' ? this.#text.includes(wanted) : wanted.test(this.#text)
    while (!holds()) {
      if (this.#isClosed) throw new Error(`closed before ${String(wanted)}: ${this.#text}`)
      await this.#next()
    }
    return this.#text
  }

  /** All data, once the server has closed its side. */
  async untilClosed(): Promise<string> {
    this.socket.once('end', () => this.socket.end())
    while (!this.#isClosed) await this.#next()
    return this.#text
  }

  close(): void {
    this.socket.destroy()
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve))
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}
