import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ApiServer } from '../apiServer.ts'
import type { Bench } from '../bench.ts'
import { median, type Row } from '../row.ts'

/**
 * Number of runs of each command; runs alternate, so that other load on the machine affects all
 * commands.
 */
const runs = 11

/** The command-line client as processes: its start, and a secret from a warm server. */
export async function clientRows(bench: Bench): Promise<Row[]> {
  const data = bench.newFolder()
  const server = await bench.startServer(data)
  try {
    const client = new BenchClient(bench, server, data)
    await client.run(['set', 'secret', 'database.password', '-'], 'secret')
    const times: number[][] = [[], [], []]
    for (let run = 0; run <= runs; run++) {
      const round = [
        await timeOf(['-e', '0'], {}),
        await client.run(['--version']),
        await client.run(['get', 'secret', 'database.password']),
      ]
      // The first round warms the caches of the machine and the server.
      if (run > 0) for (const [index, time] of round.entries()) times[index]?.push(time)
    }
    const [node = 0, version = 0, secret = 0] = times.map(median)
    return rowsOf({ node, version, secret })
  } finally {
    await server.stop()
  }
}

function rowsOf({
  node,
  version,
  secret,
}: {
  node: number
  version: number
  secret: number
}): Row[] {
  const raw = { value: node, what: 'node -e 0' }
  return [
    {
      ...{ id: 'client-version', what: 'command line: --version', unit: 'ms' },
      ...{ ours: version, raw, aim: { most: 120 } },
    },
    {
      ...{ id: 'client-secret', what: 'command line: get secret, warm', unit: 'ms' },
      ...{ ours: secret, raw, aim: { most: 250 } },
    },
  ]
}

/** The built client with separate settings, logged in by environment variables. */
class BenchClient {
  readonly #main: string
  readonly #env: Record<string, string>

  constructor(bench: Bench, { securePort, token }: ApiServer, data: string) {
    this.#main = bench.clientMain
    const url = `https://127.0.0.1:${securePort}`
    this.#env = {
      PLATFORM_HOME: bench.newFolder(),
      PLATFORM_URL: url,
      PLATFORM_ACCESS_KEY: token,
      PLATFORM_CA_FILE: join(data, 'pki/ca.crt'),
    }
  }

  /** Milliseconds of a command. */
  run(args: readonly string[], input = ''): Promise<number> {
    return timeOf([this.#main, ...args], this.#env, input)
  }
}

/** Milliseconds from the start of a Node process to its end. @throws Error if it fails. */
async function timeOf(
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.end(input)
  // Sound: the first argument of the exit event is the code.
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return performance.now() - began
}
