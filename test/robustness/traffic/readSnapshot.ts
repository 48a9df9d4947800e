import { isOfTraffic, seenOf, type ApiObject } from './apiObjects.ts'
import type { Connection } from './connection.ts'
import type { History, Seen, Snapshot } from './history.ts'
import { isOfFault, parsed } from './outcomeOf.ts'

export interface SnapshotOptions {
  /** In pages of a few objects. */
  isPaged?: boolean
  timeoutMs: number
  /** Further parameters, such as `resourceVersion=0`. */
  query?: string
  history: Pick<History, 'unexpected'>
}

const pageSize = 3

/** List of the objects at one revision. Undefined: there was no answer, or its continue token expired. */
export async function readSnapshot(
  connection: Connection,
  path: string,
  { isPaged = false, timeoutMs, query = '', history }: SnapshotOptions,
): Promise<Omit<Snapshot, 'caller' | 'replica' | 'call' | 'end'> | undefined> {
  const objects = new Map<string, Seen>()
  let token = ''
  for (let pages = 1; ; pages++) {
    const limit = isPaged ? `&limit=${pageSize}&continue=${encodeURIComponent(token)}` : ''
    const asked = { method: 'GET', path: `${path}?${query}${limit}` }
    const answer = await connection.request(asked, timeoutMs).catch(() => undefined)
    if (answer === undefined || answer.status === 410 || isOfFault(answer)) return undefined
    const list = parsed(answer.text)
    if (answer.status !== 200 || list?.items === undefined) {
      history.unexpected.push(`GET ${asked.path}: ${answer.status} ${answer.text}`)
      return undefined
    }
    for (const [name, seen] of seenIn(list.items)) objects.set(name, seen)
    token = list.metadata?.continue ?? ''
    if (token === '') return { revision: Number(list.metadata?.resourceVersion), objects, pages }
  }
}

function seenIn(items: readonly ApiObject[]): [string, Seen][] {
  return items.filter(isOfTraffic).map((item) => [item.metadata?.name ?? '', seenOf(item)])
}
