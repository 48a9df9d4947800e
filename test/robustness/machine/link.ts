import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Condition of a link: bytes pass, connections are cut and refused, bytes are held back, or each
 * chunk is delayed.
 */
export type LinkState = 'open' | 'cut' | 'held' | { delayMs: number }

/** TCP proxy in front of one port, whose condition can change while connections are open. */
export class Link {
  readonly port: number
  readonly #server: Server
  readonly #target: number
  readonly #sockets = new Set<Socket>()
  #state: LinkState = 'open'
  #waiting: (() => void)[] = []

  static async open(target: number): Promise<Link> {
    const server = createServer({ pauseOnConnect: true })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    return new Link(server, { port, target })
  }

  private constructor(server: Server, { port, target }: { port: number; target: number }) {
    this.port = port
    this.#server = server
    this.#target = target
    server.on('connection', (near) => this.#accept(near))
  }

  get state(): LinkState {
    return this.#state
  }

  set(state: LinkState): void {
    this.#state = state
    if (state === 'cut') for (const socket of this.#sockets) socket.destroy()
    if (state === 'held') return
    const waiting = this.#waiting
    this.#waiting = []
    for (const go of waiting) go()
  }

  async close(): Promise<void> {
    this.set('cut')
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(near: Socket): void {
    if (this.#state === 'cut') return void near.destroy()
    const far = connect(this.#target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one)
      one.setNoDelay()
      one.on('error', () => other.destroy())
      one.on('close', () => {
        this.#sockets.delete(one)
        other.destroy()
      })
      // A connection closed by one side is not an error.
      void this.#pass(one, other).catch(() => other.destroy())
    }
  }

  async #pass(from: Socket, to: Socket): Promise<void> {
    for await (const piece of from) {
      await this.#passes()
      if (to.destroyed) return
      if (!to.write(piece as Buffer)) await drained(to)
    }
    to.end()
  }

  /** Resolves when the next chunk may be sent. */
  async #passes(): Promise<void> {
    while (this.#state === 'held') await new Promise<void>((go) => this.#waiting.push(go))
    if (typeof this.#state === 'object') await delay(this.#state.delayMs)
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', resolve)
    socket.once('close', resolve)
  })
}
