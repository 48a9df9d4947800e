import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startApiServer, type ApiServer } from './apiServer.ts'
import { firstLine, startNode, stopChild } from './childProcess.ts'
import type { LoadResult, LoadTool } from './loadTool.ts'
import type { BenchOptions } from './options.ts'
import { median } from './row.ts'

const rawServer = fileURLToPath(new URL('./rawServer.ts', import.meta.url))
const storageProbe = fileURLToPath(new URL('./storageProbe.ts', import.meta.url))

export interface StartOptions {
  /** Folder for the CPU profile written when the server stops. */
  profile?: string | undefined
  /** Additional flags of the server. */
  flags?: readonly string[]
}

export interface RawServer {
  port: number
  pid: number
  token: string
  stop: () => Promise<void>
}

/** Tools of the measurements. */
export class Bench {
  readonly options: BenchOptions
  readonly tool: LoadTool
  /** Load tool with TLS; undefined: its program cannot be built. */
  readonly tlsTool: LoadTool | undefined
  readonly #folder: string
  readonly #main: string
  #folders = 0

  constructor(
    options: BenchOptions,
    tools: Pick<Bench, 'tool' | 'tlsTool'>,
    paths: { folder: string; main: string },
  ) {
    this.options = options
    this.tool = tools.tool
    this.tlsTool = tools.tlsTool
    this.#folder = paths.folder
    this.#main = paths.main
  }

  /** Main file of the command-line client of the same build. */
  get clientMain(): string {
    return join(this.#main, '../../cli/main.js')
  }

  /** Main file of the server. */
  get serverMain(): string {
    return this.#main
  }

  /** Empty folder, removed at the end of the run. */
  newFolder(): string {
    const path = join(this.#folder, `data-${this.#folders++}`)
    mkdirSync(path)
    return path
  }

  /** Starts the server, by default on a fresh folder. */
  startServer(
    dataDir = this.newFolder(),
    { profile = this.options.profile, flags = [] }: StartOptions = {},
  ): Promise<ApiServer> {
    const nodeFlags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
    return startApiServer(this.#main, dataDir, { nodeFlags, flags })
  }

  /** Starts a mode of rawServer.ts, with the given files. */
  async startRaw(mode: string, files: Record<string, Buffer> = {}): Promise<RawServer> {
    const folder = this.newFolder()
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
    const child = startNode(['--import', 'tsx', rawServer, mode, folder])
    const port = Number(await firstLine(output(child.process.stdout), (line) => line))
    return { port, pid: child.pid, token: 'none', stop: () => stopChild(child) }
  }

  /** Number printed by a mode of storageProbe.ts. */
  async storageProbe(
    mode: string,
    { folder, callers = 1 }: { folder: string; callers?: number },
  ): Promise<number> {
    const { seconds } = this.options
    const given = [mode, folder, String(callers), String(seconds)]
    const child = startNode(['--import', 'tsx', storageProbe, ...given])
    const value = Number(await firstLine(output(child.process.stdout), (line) => line))
    await stopChild(child)
    return value
  }

  /** The same on a fresh folder, with the bytes of the object to write. */
  storageProbeOf(mode: string, object: Buffer, callers = 1): Promise<number> {
    const folder = this.newFolder()
    writeFileSync(join(folder, 'object'), object)
    return this.storageProbe(mode, { folder, callers })
  }

  /** Runs the probes in turn, so that other load of the machine affects all of them; returns the result of each. */
  async inTurn<T>(probes: readonly (() => Promise<T>)[]): Promise<T[][]> {
    const results: T[][] = probes.map(() => [])
    for (let round = 0; round < this.options.rounds; round++) {
      for (const [index, probe] of probes.entries()) results[index]?.push(await probe())
    }
    return results
  }
}

function output<T>(stream: T | null): T {
  if (stream === null) throw new Error('a child has no standard output')
  return stream
}

/** Medians of several runs of the load generator. */
export function medians(results: readonly LoadResult[]) {
  const of = (value: (result: LoadResult) => number) => median(results.map(value))
  return {
    perSecond: of(({ requests, seconds }) => requests / seconds),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    cpuMicros: of((result) => (result.serverCpuSeconds * 1e6) / Math.max(1, result.answered)),
  }
}
