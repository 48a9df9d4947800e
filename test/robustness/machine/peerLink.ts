import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Link in front of the peer port of a member. It refuses members by number, identified by the
 * process at the other end of a connection (Linux).
 */
export class PeerLink {
  readonly port: number
  readonly #server: Server
  readonly #target: number
  readonly #pids: () => readonly number[]
  /** Open connections with the member that opened each; undefined: another process. */
  readonly #open = new Map<Socket, number | undefined>()
  #refused: 'all' | readonly number[] = []

  /** `pids`: processes of the members, by number. */
  static async open(target: number, pids: () => readonly number[]): Promise<PeerLink> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    return new PeerLink(server, { port, target, pids })
  }

  private constructor(
    server: Server,
    { port, target, pids }: { port: number; target: number; pids: () => readonly number[] },
  ) {
    this.port = port
    this.#server = server
    this.#target = target
    this.#pids = pids
    server.on('connection', (near) => this.#accept(near))
  }

  refuse(members: 'all' | readonly number[]): void {
    this.#refused = members
    for (const [socket, member] of this.#open) if (this.#refuses(member)) socket.destroy()
  }

  async close(): Promise<void> {
    this.refuse('all')
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #refuses(member: number | undefined): boolean {
    if (this.#refused === 'all') return true
    return member !== undefined && this.#refused.includes(member)
  }

  #accept(near: Socket): void {
    const pids = this.#pids()
    const owner = ownerOf(near.remotePort ?? 0, pids)
    const member = owner === undefined ? undefined : pids.indexOf(owner)
    if (this.#refuses(member)) return void near.destroy()
    const far = connect(this.#target, '127.0.0.1')
    this.#open.set(near, member)
    near.on('close', () => {
      this.#open.delete(near)
      far.destroy()
    })
    near.on('error', () => near.destroy())
    far.on('error', () => near.destroy())
    far.on('close', () => near.destroy())
    near.pipe(far).pipe(near)
  }
}

/**
 * Process among `pids` with a connection from this port of the loopback interface; undefined: none.
 */
export function ownerOf(port: number, pids: readonly number[]): number | undefined {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  const row = lines.find((line) => line.trim().split(/\s+/)[1] === local)
  const inode = row?.trim().split(/\s+/)[9]
  return pids.find((pid) => socketsOf(pid).includes(`socket:[${inode}]`))
}

/** Targets of the open files of a process; empty: it has ended. */
function socketsOf(pid: number): string[] {
  try {
    const folder = `/proc/${pid}/fd`
    return readdirSync(folder).flatMap((name) => {
      try {
        return [readlinkSync(`${folder}/${name}`)]
      } catch {
        return [] // Closed meanwhile.
      }
    })
  } catch {
    return []
  }
}
