import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { cpuSeconds, firstLine } from './childProcess.ts'

/** Time in ms after which a load that does not end is killed, so that the measurement fails. */
const longestLoadMs = 900_000

/** Result of a run of the load generator; the times of watches are from write to receipt. */
export interface LoadResult {
  /** Responses within the measured time. */
  requests: number
  /** All responses, including those before the measured time. */
  answered: number
  errors: number
  seconds: number
  bytes: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** Events received by all watchers together. */
  events: number
  /** True if every watcher received each write exactly once. */
  complete: boolean
  /** Number of watches that the server ended. */
  closed: number
  /** CPU time of the server during the run. */
  serverCpuSeconds: number
}

export interface HttpLoad {
  connections: number
  seconds?: number
  /** Maximum number of requests; absent: unlimited. */
  count?: number
  /** Seconds of warm-up before the measurement. */
  warm?: number
  request: string
  status: number
  /** Number of the first request; the following ones count up. */
  start?: number
  /** True to send all requests over one HTTP/2 connection; only over TLS. */
  http2?: 1
}

/** Caller that reads a list page by page; CONTINUE is replaced by the token. */
export interface WalkLoad {
  count: number
  request: string
}

/** Callers that get one of `objects`, change it and put it back; `request` is the GET. */
export interface UpdateLoad {
  connections: number
  seconds: number
  warm: number
  request: string
  objects: number
}

export interface WatchLoad {
  watchers: number
  watch: string
  writers: number
  writes: number
  /** Writes per second; 0: as fast as possible. */
  rate: number
  request: string
  status: number
  start: number
  /** Number of HTTP/2 connections that watchers share; only over TLS. */
  connections?: number
}

/** Server under load. */
export interface Loaded {
  port: number
  pid: number
  /** Id of a helper process whose CPU time is added. */
  storePid?: number
}

/** Load generator that can be started. */
export interface LoadProgram {
  command: readonly string[]
  description: string
}

/**
 * The C program, or its equivalent in Node without a compiler. @throws Error if a required program
 * is missing.
 */
export function loadProgram(
  folder: string,
  sources: string,
  wanted: 'c' | 'node' | undefined,
): LoadProgram {
  const binary = join(folder, 'load')
  const compiled = wanted === 'node' ? undefined : compile(join(sources, 'load.c'), binary)
  if (compiled === undefined && wanted === 'c') throw new Error('no C compiler found')
  if (compiled !== undefined) {
    return { command: compiled, description: 'a C program, epoll, one thread' }
  }
  const script = fileURLToPath(new URL('./nodeLoad.ts', import.meta.url))
  const command = [process.execPath, '--import', 'tsx', script]
  return { command, description: 'Node with raw sockets, one thread' }
}

/** The program for TLS, written in Go; undefined: Go is missing. */
export function tlsLoadProgram(folder: string, sources: string): LoadProgram | undefined {
  const binary = join(folder, 'tlsload')
  const cwd = join(sources, 'tlsload')
  const env = { ...process.env, GOFLAGS: '', GOTOOLCHAIN: 'local', GOWORK: 'off' }
  const { status } = spawnSync('go', ['build', '-o', binary, '.'], { cwd, env, stdio: 'ignore' })
  return status === 0 ? { command: [binary], description: 'a Go program' } : undefined
}

/** Runs a load generator against servers on 127.0.0.1. */
export class LoadTool {
  readonly description: string
  readonly #command: readonly string[]
  readonly #folder: string
  #files = 0

  constructor(folder: string, { command, description }: LoadProgram) {
    // Several tools may share the folder of a run.
    this.#folder = mkdtempSync(join(folder, 'requests-'))
    this.#command = command
    this.description = description
  }

  http(server: Loaded, load: HttpLoad): Promise<LoadResult> {
    const { request, ...numbers } = load
    return this.#run('http', server, { ...numbers, request: this.#file(request) })
  }

  walk(server: Loaded, { request, ...numbers }: WalkLoad): Promise<LoadResult> {
    return this.#run('walk', server, { ...numbers, request: this.#file(request) })
  }

  /** Measures updates; only successful puts count. */
  update(server: Loaded, { request, ...numbers }: UpdateLoad): Promise<LoadResult> {
    return this.#run('update', server, { ...numbers, request: this.#file(request) })
  }

  watch(server: Loaded, load: WatchLoad): Promise<LoadResult> {
    const { request, watch, ...numbers } = load
    const files = { request: this.#file(request), watch: this.#file(watch) }
    return this.#run('watch', server, { ...numbers, ...files })
  }

  /** Opens idle watches; resolves, when they are open, with a function that ends them. */
  async holdWatches(
    server: Loaded,
    { watch, ...numbers }: Pick<WatchLoad, 'watchers' | 'watch' | 'connections'>,
  ): Promise<() => Promise<void>> {
    const child = this.#spawn('watch', server, { ...numbers, watch: this.#file(watch), writes: 0 })
    await firstLine(child.stdout, (line) => line)
    return async () => {
      const exit = once(child, 'exit')
      child.stdin.end()
      await exit
    }
  }

  async #run(
    mode: string,
    server: Loaded,
    args: Record<string, string | number>,
  ): Promise<LoadResult> {
    const before = cpuOf(server)
    const child = this.#spawn(mode, server, args)
    const exit = once(child, 'exit')
    const timer = setTimeout(() => child.kill('SIGKILL'), longestLoadMs)
    let last = ''
    for await (const line of createInterface({ input: child.stdout })) last = line
    const [code] = (await exit) as [number | null]
    clearTimeout(timer)
    if (code !== 0) throw new Error(`the load generator ended with ${code}`)
    // The generator prints exactly these fields.
    const result = JSON.parse(last) as LoadResult
    if (result.errors > 0) throw new Error(`${result.errors} requests were answered with an error`)
    return { ...result, serverCpuSeconds: cpuOf(server) - before }
  }

  #spawn(mode: string, { port }: Loaded, args: Record<string, string | number>) {
    const [program = '', ...first] = this.#command
    const given = Object.entries({ port, ...args }).map(([name, value]) => `${name}=${value}`)
    return spawn(program, [...first, mode, ...given], { stdio: ['pipe', 'pipe', 'inherit'] })
  }

  #file(content: string): string {
    const path = join(this.#folder, `request-${this.#files++}`)
    writeFileSync(path, content)
    return path
  }
}

function cpuOf({ pid, storePid }: Loaded): number {
  return cpuSeconds(pid) + (storePid === undefined ? 0 : cpuSeconds(storePid))
}

function compile(source: string, binary: string): string[] | undefined {
  const { status } = spawnSync(process.env['CC'] ?? 'cc', ['-O2', '-o', binary, source], {
    stdio: 'ignore',
  })
  return status === 0 ? [binary] : undefined
}
