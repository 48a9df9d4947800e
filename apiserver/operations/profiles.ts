import type { Session } from 'node:inspector'
import { getHeapSnapshot } from 'node:v8'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../meta/clock.ts'
import { badRequest, routeMethodNotAllowed, serviceUnavailable } from '../meta/statusErrors.ts'
import type { Exchange } from '../endpoints/exchange.ts'
import { start, writeBody } from '../endpoints/response/response.ts'

const profilePaths = ['/debug/pprof/profile', '/debug/pprof/heap']

const defaultSeconds = 30
const longestSeconds = 300
const attachment = (name: string) => ({ 'Content-Disposition': `attachment; filename="${name}"` })

/**
 * Profiles of the process, at the paths of the real server but in the formats of this runtime:
 * `profile` is a CPU profile (`.cpuprofile`, JSON) of the next `?seconds=`. `heap` is a heap
 * snapshot (`.heapsnapshot`), which stops the server while it is taken, and contains every secret
 * in memory. Only one at a time.
 */
export class Profiles {
  readonly #clock: Clock
  #isRunning = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Serves a profile. False: another path. @throws StatusError 400 for invalid seconds, 405, 503 while another profile
   * is running.
   */
  async serve(exchange: Exchange): Promise<boolean> {
    const { path, method } = exchange
    if (!profilePaths.includes(path)) return false
    if (method !== 'GET') throw routeMethodNotAllowed()
    const seconds = secondsOf(exchange.query)
    if (this.#isRunning) throw serviceUnavailable('another profile is being taken', seconds)
    this.#isRunning = true
    try {
      await (path.endsWith('heap') ? sendHeap(exchange) : this.#sendProfile(exchange, seconds))
    } finally {
      this.#isRunning = false
    }
    return true
  }

  async #sendProfile(exchange: Exchange, seconds: number): Promise<void> {
    const inspector = await import('node:inspector') // loaded on demand: few servers are profiled
    const session = new inspector.Session()
    session.connect()
    try {
      await posted(session, 'Profiler.enable')
      await posted(session, 'Profiler.start')
      await this.#wait(exchange, seconds)
      const { profile } = await posted<{ profile: unknown }>(session, 'Profiler.stop')
      const body = Buffer.from(JSON.stringify(profile))
      const answer = { code: 200, mediaType: 'application/json', extra: attachment('profile') }
      await writeBody(exchange, body, answer)
    } finally {
      session.disconnect()
    }
  }

  /** Waits until the time has passed or the client has disconnected. */
  #wait({ onFinish }: Exchange, seconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.setTimer(resolve, seconds * 1000)
      onFinish(() => {
        timer.cancel()
        resolve()
      })
    })
  }
}

async function sendHeap(exchange: Exchange): Promise<void> {
  const extra = attachment('heap.heapsnapshot')
  start(exchange, 200, { 'Content-Type': 'application/octet-stream', ...extra })
  // A client that closes the connection ends the snapshot; the response can no longer report an
  // error.
  await pipeline(getHeapSnapshot(), exchange.response).catch(() => undefined)
}

function secondsOf(query: URLSearchParams): number {
  const text = query.get('seconds') ?? String(defaultSeconds)
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (seconds < 1 || seconds > longestSeconds)
    throw badRequest(`seconds must be a whole number from 1 to ${longestSeconds}`)
  return seconds
}

function posted<T>(session: Session, method: string): Promise<T> {
  return new Promise((resolve, reject) => {
    session.post(method, (error, result) => {
      if (error === null)
        resolve(result as T) // the caller names the result type of the method
      else reject(error)
    })
  })
}
