import type { Link, LinkState } from '../machine/link.ts'
import type { Target } from '../targets/target.ts'
import type { Fault, FaultContext } from './fault.ts'
import { pick } from './pick.ts'

const hasEtcd = ({ etcd }: Target) => etcd !== undefined

/** Faults of the network between replicas and members, and among members. */
export const networkFaults: readonly Fault[] = [
  between('network: replica cut off from a member', oneLink, () => 'cut'),
  between('network: replica cut off from etcd', linksOfReplica, () => 'cut'),
  between('network: member cut off from replicas', linksOfMember, () => 'cut'),
  between('network: replica gets nothing from a member', oneLink, () => 'held'),
  between('network: replica gets nothing from etcd', linksOfReplica, () => 'held'),
  between('network: delay', linksOfReplica, ({ random }) => ({
    delayMs: random.between(20, 400),
  })),
  isolated('network: member isolated', ({ target, random }) =>
    Promise.resolve(pick(target.etcd?.members ?? [], random)),
  ),
  isolated('network: leading member isolated', async ({ target, random }) => {
    const leader = await target.etcd?.leader()
    return leader ?? pick(target.etcd?.members ?? [], random)
  }),
]

interface Chosen {
  links: readonly Link[]
  text: string
}

function between(
  name: string,
  choose: (context: FaultContext) => Chosen,
  state: (context: FaultContext) => LinkState,
): Fault {
  const inject = async (context: FaultContext) => {
    const { links, text } = choose(context)
    const wanted = state(context)
    for (const link of links) link.set(wanted)
    await context.last(1_000, 9_000)
    for (const link of links) link.set('open')
    return typeof wanted === 'object' ? `${text} by ${wanted.delayMs} ms` : text
  }
  return { name, isPossible: hasEtcd, inject }
}

function isolated(
  name: string,
  choose: (context: FaultContext) => Promise<NonNullable<Target['etcd']>['members'][number]>,
): Fault {
  const inject = async (context: FaultContext) => {
    const member = await choose(context)
    context.target.etcd?.isolate(member)
    await context.last(2_000, 10_000)
    context.target.etcd?.isolate(undefined)
    return member.name
  }
  return { name, isPossible: hasEtcd, inject }
}

function oneLink({ target, random }: FaultContext): Chosen {
  const { daemon, links } = pick(target.replicas, random)
  const at = random.between(0, links.length)
  const link = links[at]
  return { links: link === undefined ? [] : [link], text: `${daemon.name} and m${at}` }
}

function linksOfReplica({ target, random }: FaultContext): Chosen {
  const { daemon, links } = pick(target.replicas, random)
  return { links, text: daemon.name }
}

function linksOfMember({ target, random }: FaultContext): Chosen {
  const at = random.between(0, target.etcd?.members.length ?? 0)
  const links = target.replicas.flatMap((replica) => replica.links[at] ?? [])
  return { links, text: `m${at}` }
}
