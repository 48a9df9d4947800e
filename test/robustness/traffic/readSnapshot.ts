import { isOfTraffic, seenOf, type ApiObject } from './apiObjects.ts'
import type { Connection } from './connection.ts'
import type { History, Seen, Snapshot } from './history.ts'
import { isOfFault, parsed } from './outcomeOf.ts'

export interface SnapshotOptions {
  /** True to read pages of a few objects. Default false. */
  isPaged?: boolean
  timeoutMs: number
  /** Additional parameters, such as `resourceVersion=0`. */
  query?: string
  history: Pick<History, 'unexpected'>
}

const pageSize = 3

type Read = Omit<Snapshot, 'caller' | 'replica' | 'call' | 'end'>

/** List of the objects at one revision. Undefined: no response, or its continue token expired. */
export async function readSnapshot(
  connection: Connection,
  path: string,
  options: SnapshotOptions,
): Promise<Read | undefined> {
  const { isPaged = false, query = '' } = options
  const objects = new Map<string, Seen>()
  let token = ''
  for (let pages = 1; ; pages++) {
    const limit = isPaged ? `&limit=${pageSize}&continue=${encodeURIComponent(token)}` : ''
    const page = await readPage(connection, `${path}?${query}${limit}`, options)
    if (page === undefined) return undefined
    for (const item of page.items.filter(isOfTraffic))
      objects.set(item.metadata?.name ?? '', seenOf(item))
    token = page.token
    if (token === '') return { revision: page.revision, objects, pages }
  }
}

interface Page {
  items: ApiObject[]
  revision: number
  /** Continue token; empty: last page. */
  token: string
}

async function readPage(
  connection: Connection,
  path: string,
  { timeoutMs, history }: SnapshotOptions,
): Promise<Page | undefined> {
  const asked = { method: 'GET', path }
  const answer = await connection.request(asked, timeoutMs).catch(() => undefined)
  if (answer === undefined || answer.status === 410 || isOfFault(answer)) return undefined
  const list = parsed(answer.text)
  if (answer.status !== 200 || list?.items === undefined) {
    history.unexpected.push(`GET ${path}: ${answer.status} ${answer.text}`)
    return undefined
  }
  const { metadata, items } = list
  return { items, revision: Number(metadata?.resourceVersion), token: metadata?.continue ?? '' }
}
