import { parseArgs } from 'node:util'
import { peerName, type PeerName } from './peer/peerName.ts'

/** Values of --only, in the order of measurement. */
export const groups = [
  'start',
  'cli',
  'get',
  'rights',
  'create',
  'commit',
  'list',
  'watch',
  'tls',
  'large',
  'planes',
  'sync',
  'logins',
  'replicas',
  'backup',
] as const
export type Group = (typeof groups)[number]

export interface BenchOptions {
  only: readonly Group[]
  /** Number of rounds of each probe, alternating with its raw limit; the medians are used. */
  rounds: number
  /** Duration of one round that measures a rate. */
  seconds: number
  /** Number of objects in the group `large`. */
  objects: number
  /** File for the results as JSON; undefined: none. */
  json: string | undefined
  /** True to write the table into docs/reference/benchmarks.md. */
  writeDocs: boolean
  /** Folder for CPU profiles of the servers; undefined: no profiles. */
  profile: string | undefined
  generator: 'c' | 'node' | undefined
  /** Peer to compare with; undefined: the raw limits. */
  peer: PeerName | undefined
  /** Commit, or folder with a build, to compare processor time with; undefined: none. */
  against: string | undefined
}

export const usage = `usage: make bench ARGS='[flags]'
  --only GROUP[,GROUP]   of ${groups.join(', ')}
  --rounds N             rounds of each probe, of which the median counts (default 3)
  --seconds S            length of one round (default 1)
  --objects N            objects of the group large (default 100000)
  --json FILE            write the results
  --write-docs           put the table into docs/reference/benchmarks.md
  --profile DIR          write a CPU profile of every server there
  --peer NAME            over TLS, beside the sample API server of the real library (1), beside kube-apiserver with
                         our server on etcd (kube-apiserver), or our server on etcd beside LevelDB (storages); also:
                         make bench PEER=NAME
  --against COMMIT       processor time of start, get, list, create and watch beside the build of a commit, or of a
                         folder (also: make bench AGAINST=COMMIT)
  --generator c|node     load generator (default: c, where there is a compiler)
`

/** @throws Error for invalid flags. */
export function benchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '1' },
      objects: { type: 'string', default: '100000' },
      json: { type: 'string' },
      'write-docs': { type: 'boolean', default: false },
      profile: { type: 'string' },
      generator: { type: 'string' },
      peer: { type: 'string' },
      against: { type: 'string' },
    },
  })
  return {
    only: values.only === undefined ? groups : values.only.split(',').map(group),
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    objects: positive('objects', values.objects, 1e9),
    json: values.json,
    writeDocs: values['write-docs'],
    profile: values.profile,
    generator: generator(values.generator),
    peer: values.peer === undefined ? undefined : peerName(values.peer),
    against: values.against,
  }
}

function group(name: string): Group {
  const found = groups.find((known) => known === name)
  if (found === undefined) throw new Error(`--only: ${name} is none of ${groups.join(', ')}`)
  return found
}

function generator(name: string | undefined): 'c' | 'node' | undefined {
  if (name === undefined || name === 'c' || name === 'node') return name
  throw new Error(`--generator: ${name} is neither c nor node`)
}

function positive(name: string, text: string, most = 60): number {
  const value = Number(text)
  if (!(value > 0 && value <= most))
    throw new Error(`--${name}: not a number from 1 to ${most}: ${text}`)
  return value
}
