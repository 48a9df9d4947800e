import { parseArgs } from 'node:util'

export const targetNames = ['etcd', 'level', 'kube-apiserver'] as const

export type TargetName = (typeof targetNames)[number]

export interface RobustnessOptions {
  target: TargetName
  seed: number
  minutes: number
  /** Number of the first round; later ones follow. */
  round: number
  roundSeconds: number
  replicas: number
  clients: number
  faults: RegExp
  /** Folder for the logs of the processes. Absent: they are removed. */
  keep?: string
}

export const usage = `Sends random traffic to servers while faults come and go, and checks every answer.

  --target NAME       etcd (default; replicas over three members), level (one server on LevelDB), kube-apiserver (real ones)
  --seed N            seed of all choices (default: a new one, which is printed)
  --minutes N         duration (default 10)
  --round N           begin with this round of the seed, to repeat it (default 1)
  --round-seconds N   traffic of a round (default 40)
  --replicas N        servers (default 3; 1 for level)
  --clients N         clients (default 16)
  --faults PATTERN    faults whose name matches; 'none' for no faults (default: all)
  --keep FOLDER       keep data and logs of all processes there
`

/**
 * @throws TypeError for an unknown flag, RangeError for an invalid value. undefined: help is
 * requested.
 */
export function parseOptions(args: string[]): RobustnessOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      target: { type: 'string', default: 'etcd' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      minutes: { type: 'string', default: '10' },
      round: { type: 'string', default: '1' },
      'round-seconds': { type: 'string', default: '40' },
      replicas: { type: 'string', default: '3' },
      clients: { type: 'string', default: '16' },
      faults: { type: 'string', default: '' },
      keep: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  return {
    target: targetOf(values.target),
    seed: numberOf('--seed', values.seed),
    minutes: numberOf('--minutes', values.minutes),
    round: numberOf('--round', values.round),
    roundSeconds: numberOf('--round-seconds', values['round-seconds']),
    replicas: numberOf('--replicas', values.replicas),
    clients: numberOf('--clients', values.clients),
    faults: new RegExp(values.faults === 'none' ? '^none$' : values.faults),
    ...(values.keep !== undefined && { keep: values.keep }),
  }
}

function targetOf(given: string): TargetName {
  const found = targetNames.find((name) => name === given)
  if (found === undefined) throw new RangeError(`--target: one of ${targetNames.join(', ')}`)
  return found
}

function numberOf(flag: string, text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new RangeError(`${flag}: a number is needed, not "${text}"`)
  return Number(text)
}
