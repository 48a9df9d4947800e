import { eventually } from '../machine/eventually.ts'
import type { Target } from '../targets/target.ts'
import type { History } from '../traffic/history.ts'
import { readSnapshot } from '../traffic/readSnapshot.ts'
import { textOf } from './snapshotFaults.ts'

const timeoutMs = 8_000
const agreeMs = 30_000

/**
 * Replicas whose objects differ after the end of the traffic: read as the newest state, from
 * memory, and from history.
 */
export async function finalFaults(
  { replicas }: Target,
  path: string,
  history: History,
): Promise<string[]> {
  const newest = await states(replicas, path, history, '')
  const { revision } = newest[0] ?? { revision: 0 }
  const exact = `resourceVersion=${revision}&resourceVersionMatch=Exact`
  const recent = `resourceVersion=${revision}&resourceVersionMatch=NotOlderThan`
  const faults = differences('newest', newest)
  for (const [form, query] of Object.entries({ exact, recent })) {
    const read = await states(replicas, path, history, query)
    faults.push(...differences(form, [...newest.slice(0, 1), ...read]))
  }
  return faults
}

interface State {
  replica: string
  revision: number
  text: string
}

async function states(
  replicas: Target['replicas'],
  path: string,
  history: History,
  query: string,
): Promise<State[]> {
  const all: State[] = []
  for (const { daemon, connection } of replicas) {
    await eventually(`${daemon.name} lists with ${query}`, agreeMs, async () => {
      const read = await readSnapshot(connection, path, { timeoutMs, history, query })
      if (read === undefined) return false
      all.push({ replica: daemon.name, revision: read.revision, text: textOf(read.objects) })
      return true
    })
  }
  return all
}

function differences(form: string, [first, ...others]: readonly State[]): string[] {
  return others.flatMap(({ replica, text }) =>
    first === undefined || first.text === text
      ? []
      : [`${form} state of ${replica} is ${text}, of ${first.replica} it is ${first.text}`],
  )
}
