import type { EtcdMember, MemberStatus } from '../machine/etcdMember.ts'
import type { Target } from '../targets/target.ts'
import type { Fault, FaultContext } from './fault.ts'
import { pick } from './pick.ts'

const hasEtcd = ({ etcd }: Target) => etcd !== undefined

/** Faults injected with calls of etcd. */
export const etcdFaults: readonly Fault[] = [
  {
    name: 'etcd: compaction',
    isPossible: hasEtcd,
    inject: async (context) => {
      // A part of the newest history remains, or none of it.
      const kept = pick([0, 20, 200], context.random)
      return answered(context, async ({ member, status }) => {
        const revision = status.revision - kept
        if (revision <= 0) return 'nothing'
        await member.call('kv/compaction', { revision: String(revision), physical: true })
        return `all but ${kept} revisions`
      })
    },
  },
  {
    name: 'etcd: defragmentation',
    isPossible: hasEtcd,
    inject: (context) =>
      answered(context, async ({ member }) => {
        await member.call('maintenance/defragment', {}, 30_000)
        return member.name
      }),
  },
  {
    // A full quota raises this alarm; filling it takes minutes.
    name: 'etcd: NOSPACE alarm',
    isPossible: hasEtcd,
    inject: (context) =>
      answered(context, async ({ member, status }) => {
        const alarm = { memberID: status.id, alarm: 'NOSPACE' }
        await member.call('maintenance/alarm', { action: 'ACTIVATE', ...alarm })
        await context.last(2_000, 6_000)
        await member.call('maintenance/alarm', { action: 'DEACTIVATE', ...alarm })
        return member.name
      }),
  },
]

/** Disarms all remaining alarms. */
export async function disarm({ etcd }: Target): Promise<void> {
  for (const member of etcd?.members ?? []) {
    const answer = await member.call<{ alarms?: { memberID: string; alarm: string }[] }>(
      'maintenance/alarm',
      { action: 'GET' },
    )
    for (const { memberID, alarm } of answer.alarms ?? [])
      await member.call('maintenance/alarm', { action: 'DEACTIVATE', memberID, alarm })
  }
}

/** Calls a random member; a member that another fault has stopped does not respond. */
async function answered(
  { target, random }: FaultContext,
  act: (asked: { member: EtcdMember; status: MemberStatus }) => Promise<string>,
): Promise<string> {
  const member = pick(target.etcd?.members ?? [], random)
  try {
    return await act({ member, status: await member.status() })
  } catch (error) {
    return `${member.name}, without success: ${error instanceof Error ? error.message : String(error)}`
  }
}
