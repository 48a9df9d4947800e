/**
 * Load generator in Node, for machines without a C compiler: arguments and output of load.c, on raw
 * sockets. It uses more resources than the C program, so its numbers are lower.
 */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

const [mode, ...given] = process.argv.slice(2)
const args = new Map(given.map((text) => [text.split('=')[0], text.slice(text.indexOf('=') + 1)]))
const number = (name: string, otherwise = 0): number => Number(args.get(name) ?? otherwise)
const now = (): bigint => process.hrtime.bigint()

const start = number('start')
const status = number('status', 200)
const template = args.has('request') ? readFileSync(args.get('request') ?? '', 'latin1') : ''
const latencies: number[] = []
let [issued, finished, answered, errors, bytes, closed, delivered] = [0, 0, 0, 0, 0, 0, 0]

function open(): Socket {
  return connect({ port: number('port'), host: '127.0.0.1', noDelay: true })
}

/** Connection that sends a request and awaits the response. */
class Caller {
  readonly #socket = open()
  readonly #onAnswer: (caller: Caller) => void
  #head = ''
  #left = -1
  isBusy = false
  sent = 0n

  constructor(onAnswer: (caller: Caller) => void) {
    this.#onAnswer = onAnswer
    this.#socket.on('data', (chunk) => this.#take(chunk))
  }

  issue(due: bigint): void {
    const index = String(start + issued++).padStart(10, '0')
    const request = template
      .replaceAll(/\x01+/g, (run) => index.slice(-run.length))
      .replaceAll(/\x02+/g, String(due).padStart(19, '0'))
    this.isBusy = true
    this.sent = now()
    this.#socket.write(request, 'latin1')
  }

  end(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    bytes += chunk.length
    if (this.#left < 0) {
      const { length } = this.#head
      this.#head += chunk.toString('latin1')
      const end = this.#head.indexOf('\r\n\r\n')
      if (end < 0) return
      this.#left = contentLength(this.#head) - (chunk.length - (end + 4 - length))
      if (Number(this.#head.slice(9, 12)) !== status) errors++
    } else this.#left -= chunk.length
    if (this.#left > 0) return
    this.#head = ''
    this.#left = -1
    this.isBusy = false
    finished++
    answered++
    this.#onAnswer(this)
  }
}

function contentLength(head: string): number {
  return Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
}

function result(seconds: number, complete: boolean): void {
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  const [p50Ms, p99Ms, maxMs] = [at(0.5), at(0.99), at(1)]
  const counts = { requests: finished, answered, errors, bytes, events: delivered, closed }
  process.stdout.write(`${JSON.stringify({ ...counts, seconds, complete, p50Ms, p99Ms, maxMs })}\n`)
  process.exit(0)
}

function runHttp(): void {
  const limit = args.has('count') ? number('count') : Infinity
  const from = now() + BigInt(Math.round(number('warm') * 1e9))
  const until = args.has('seconds') ? from + BigInt(Math.round(number('seconds') * 1e9)) : undefined
  let running = 0
  let last = from
  const answered = (caller: Caller) => {
    const time = now()
    const isLate = until !== undefined && time > until
    if (time < from) finished = bytes = 0
    else if (isLate) finished--
    else {
      latencies.push(Number(time - caller.sent) / 1e6)
      last = time
    }
    if (!isLate && issued < limit) {
      caller.issue(now())
      return
    }
    caller.end()
    if (--running === 0) result(Number(last - from) / 1e9, true)
  }
  for (let i = 0; i < number('connections', 1) && issued < limit; i++, running++) {
    new Caller(answered).issue(now())
  }
}

const mark = '"bench/t":"'

class Watch {
  events = 0
  sum = 0
  #rest = ''

  async stand(request: Buffer): Promise<void> {
    const socket = open()
    socket.write(request)
    await once(socket, 'data')
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('close', () => closed++)
  }

  #take(chunk: Buffer): void {
    const text = this.#rest + chunk.toString('latin1')
    const time = now()
    let from = 0
    for (;;) {
      const at = text.indexOf(mark, from)
      if (at < 0 || at + mark.length + 30 > text.length) break
      from = at + mark.length + 30
      latencies.push(Number(time - BigInt(text.slice(at + mark.length, from - 11))) / 1e6)
      this.sum += Number(text.slice(from - 10, from))
      this.events++
      delivered++
    }
    this.#rest = text.slice(Math.max(from, text.length - 64))
  }
}

async function runWatch(): Promise<void> {
  const request = readFileSync(args.get('watch') ?? '')
  const watches = Array.from({ length: number('watchers', 1) }, () => new Watch())
  for (const watch of watches) await watch.stand(request)
  process.stdout.write('ready\n')
  const writes = number('writes')
  if (writes === 0) {
    process.stdin.resume().on('end', () => process.exit(0))
    return
  }
  const rate = number('rate')
  const began = now()
  const due = () => (rate === 0 ? now() : began + BigInt(Math.round((issued * 1e9) / rate)))
  const writers = Array.from({ length: number('writers', 1) }, () => new Caller(pace))
  function pace(): void {
    for (const writer of writers) {
      if (writer.isBusy || issued >= writes || due() > now()) continue
      writer.issue(due())
    }
  }
  const stalledAfterMs = 10_000
  let [seen, progress] = [0, performance.now()]
  const timer = setInterval(() => {
    pace()
    if (delivered > seen) [seen, progress] = [delivered, performance.now()]
    const isStalled = performance.now() - progress > stalledAfterMs
    if (!isStalled && (delivered < writes * watches.length || finished < writes)) return
    clearInterval(timer)
    const sum = (writes * (2 * start + writes - 1)) / 2
    const complete = watches.every((watch) => watch.events === writes && watch.sum === sum)
    result(Number(now() - began) / 1e9, complete)
  }, 1)
}

if (mode === 'http') runHttp()
else await runWatch()
