import { connect, createServer, type Server, type Socket } from 'node:net'

/** Passes each connection to the next port that accepts it, without inspecting the data. */
export class TcpBalancer {
  readonly port: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  static async open(ports: readonly number[]): Promise<TcpBalancer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const own = typeof address === 'object' && address !== null ? address.port : 0
    return new TcpBalancer(server, own, ports)
  }

  private constructor(server: Server, port: number, ports: readonly number[]) {
    this.port = port
    this.#server = server
    let next = 0
    server.on('connection', (near) => {
      near.on('error', () => near.destroy())
      this.#sockets.add(near)
      near.on('close', () => this.#sockets.delete(near))
      this.#forward(near, ports, next++)
    })
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #forward(near: Socket, ports: readonly number[], first: number, left = ports.length): void {
    const far = connect(ports[first % ports.length] ?? 0, '127.0.0.1')
    let isOpen = false
    far.once('connect', () => {
      isOpen = true
      near.pipe(far).pipe(near)
    })
    far.on('error', () => {
      if (isOpen || left <= 1) near.destroy()
      else this.#forward(near, ports, first + 1, left - 1)
    })
    far.on('close', () => isOpen && near.destroy())
    near.on('close', () => far.destroy())
  }
}
