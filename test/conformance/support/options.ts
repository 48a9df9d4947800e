import { parseArgs } from 'node:util'

export interface ConformanceOptions {
  /** Pattern of the scenarios to run, matched against `client: name`. */
  only: RegExp
  /** Parts of client names; empty: every client. */
  clients: string[]
  crashRounds: number
  /** Number of further attempts of a failed scenario; one that passes then is listed at the end. */
  retries: number
  /** Seed of the crash test's random choices. */
  seed: number
}

export const usage = `Drives the built server with real clients.

  --only PATTERN   only scenarios whose "client: name" matches this regular expression
  --clients A,B    only clients whose name contains A or B, as in "kubectl 1.27,crash"
  --rounds N       rounds of the crash test (default $CONFORMANCE_ROUNDS or 30)
  --retries N      tries a scenario that fails N times more, and names those that passed then (default 0)
  --seed N         seed of the crash test (default: a new one, which is printed)

With STORAGE=etcd the servers keep their objects in an etcd, which is started from ETCD, PATH or the cache of make real-server.
`

/** @throws TypeError for an unknown flag, RangeError for an invalid number. */
export function parseOptions(
  args: string[],
  env: NodeJS.ProcessEnv,
): ConformanceOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: '' },
      clients: { type: 'string', default: '' },
      rounds: { type: 'string', default: env['CONFORMANCE_ROUNDS'] ?? '30' },
      retries: { type: 'string', default: '0' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  return {
    only: new RegExp(values.only),
    clients: values.clients.split(',').filter((part) => part !== ''),
    crashRounds: wholeNumber('--rounds', values.rounds),
    retries: wholeNumber('--retries', values.retries),
    seed: wholeNumber('--seed', values.seed),
  }
}

function wholeNumber(flag: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new RangeError(`${flag}: a whole number is needed, not "${text}"`)
  return Number(text)
}
