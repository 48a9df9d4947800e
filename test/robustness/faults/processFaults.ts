import type { Daemon } from '../machine/daemon.ts'
import type { Target } from '../targets/target.ts'
import type { Fault, FaultContext } from './fault.ts'
import { pick } from './pick.ts'

type Chosen = (context: FaultContext) => Daemon | Promise<Daemon>

const anyReplica: Chosen = ({ target, random }) => pick(target.replicas, random).daemon

const leadingReplica: Chosen = async (context) =>
  (await context.target.leader?.())?.daemon ?? anyReplica(context)

const anyMember: Chosen = ({ target, random }) => pick(target.etcd?.members ?? [], random).daemon

const leadingMember: Chosen = async (context) =>
  (await context.target.etcd?.leader())?.daemon ?? anyMember(context)

const always = () => true
const hasLeader = ({ leader }: Target) => leader !== undefined
const hasEtcd = ({ etcd }: Target) => etcd !== undefined

/** Faults of one process. */
export const processFaults: readonly Fault[] = [
  ended('replica: SIGKILL', always, anyReplica, 'SIGKILL'),
  ended('replica: SIGTERM', always, anyReplica, 'SIGTERM'),
  paused('replica: SIGSTOP', always, anyReplica),
  ended('leader: SIGKILL', hasLeader, leadingReplica, 'SIGKILL'),
  paused('leader: SIGSTOP', hasLeader, leadingReplica),
  ended('member: SIGKILL', hasEtcd, anyMember, 'SIGKILL'),
  paused('member: SIGSTOP', hasEtcd, anyMember),
  ended('leading member: SIGKILL', hasEtcd, leadingMember, 'SIGKILL'),
  paused('leading member: SIGSTOP', hasEtcd, leadingMember),
  {
    name: 'etcd: restart of all members',
    isPossible: hasEtcd,
    inject: async ({ target, random, last }) => {
      const signal = random.fraction() < 0.5 ? 'SIGKILL' : 'SIGTERM'
      const daemons = target.etcd?.members.map(({ daemon }) => daemon) ?? []
      await Promise.all(daemons.map((daemon) => daemon.end(signal)))
      await last(200, 2_000)
      for (const daemon of daemons) startAgain(daemon)
      return signal
    },
  },
  {
    name: 'replica: clock jump',
    isPossible: ({ replicas }) => replicas.some(({ setClock }) => setClock !== undefined),
    inject: async ({ target, random, last }) => {
      const { daemon, setClock } = pick(target.replicas, random)
      const seconds = pick([-3_600, -90, -5, 5, 90, 3_600], random)
      setClock?.(seconds)
      await last(3_000, 8_000)
      setClock?.(0)
      return `${daemon.name} by ${seconds} s`
    },
  },
]

function ended(
  name: string,
  isPossible: Fault['isPossible'],
  choose: Chosen,
  signal: 'SIGKILL' | 'SIGTERM',
): Fault {
  const inject = async (context: FaultContext) => {
    const daemon = await choose(context)
    await daemon.end(signal)
    await context.last(100, 4_000)
    startAgain(daemon)
    return daemon.name
  }
  return { name, isPossible, inject }
}

function paused(name: string, isPossible: Fault['isPossible'], choose: Chosen): Fault {
  const inject = async (context: FaultContext) => {
    const daemon = await choose(context)
    daemon.pause()
    await context.last(1_000, 12_000)
    daemon.resume()
    return daemon.name
  }
  return { name, isPossible, inject }
}

/** Another fault may have restarted it already. */
function startAgain(daemon: Daemon): void {
  if (!daemon.isRunning) daemon.start()
}
