import { connect, createServer, type Server, type Socket } from 'node:net'

/** Proxy to an etcd that can be cut and repaired. */
export class CutProxy {
  readonly endpoint: string
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isCut = false

  static async open(target: string): Promise<CutProxy> {
    const { hostname, port } = new URL(target)
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const own = typeof address === 'object' && address !== null ? address.port : 0
    return new CutProxy(server, { own, host: hostname, port: Number(port) })
  }

  private constructor(server: Server, to: { own: number; host: string; port: number }) {
    this.endpoint = `http://127.0.0.1:${to.own}`
    this.#server = server
    server.on('connection', (near) => {
      if (this.#isCut) return void near.destroy()
      const far = connect(to.port, to.host)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one)
        one.on('error', () => other.destroy())
        one.on('close', () => {
          this.#sockets.delete(one)
          other.destroy()
        })
        one.pipe(other)
      }
    })
  }

  cut(): void {
    this.#isCut = true
    for (const socket of this.#sockets) socket.destroy()
  }

  mend(): void {
    this.#isCut = false
  }

  async close(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
