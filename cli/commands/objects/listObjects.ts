import type { Call } from '../../base/commandSpec.ts'
import type { ApiObject } from '../../base/apiObject.ts'
import { listAt, textAt } from '../../base/apiObject.ts'
import { withQuery, type ApiClient, type Place, type Query } from '../../client/apiClient.ts'
import { placeOf, type KindWords } from '../../client/kinds.ts'
import { openSession } from '../../client/session.ts'
import { formatOf, isTable, type Format } from '../../output/format.ts'
import { formatted } from '../../output/formatted.ts'
import { serverTable, tableText, type PlainTable } from '../../output/table.ts'

/** Lists objects of a kind; with `--watch`, follows their changes. */
export async function listObjects(call: Call, kind: KindWords): Promise<void> {
  const { flags } = call
  const { client, server } = await openSession(call)
  const project = flags.is('allProjects') ? undefined : (flags.string('project') ?? server.project)
  const place = await placeOf(client, kind, { project, isOne: false })
  await showList(call, client, place)
}

/** Lists the objects at a location in the requested format. */
export async function showList(call: Call, client: ApiClient, place: Place): Promise<void> {
  const { flags, terminal } = call
  const format = await formatOf(flags)
  const query = selection(call)
  if (isTable(format)) {
    const table = await client.table(withQuery(client.pathOf(place), query))
    const rows = listAt(table, 'rows')
    if (rows.length > 0 || flags.is('watch'))
      await terminal.out(tableText(placedTable(table, format, place)))
    else terminal.say('No objects found.')
    if (flags.is('watch'))
      await follow(call, client, {
        place,
        query,
        format,
        from: textAt(table, 'metadata', 'resourceVersion'),
      })
    return
  }
  const list = await client.list(place, query)
  const { kind = 'List', apiVersion = 'v1' } = list
  // Items of lists have neither a kind nor a version.
  const items = list.items.map((item) => ({ kind: kind.replace(/List$/, ''), apiVersion, ...item }))
  await terminal.out(await formatted({ ...list, kind, apiVersion, items }, format))
  if (flags.is('watch'))
    await follow(call, client, { place, query, format, from: list.metadata.resourceVersion })
}

function selection({ flags }: Call): Query {
  return { labelSelector: flags.string('selector'), fieldSelector: flags.string('fieldSelector') }
}

/** The server's table, with a namespace column first if objects of several namespaces are listed. */
function placedTable(table: unknown, format: Format, place: Place): PlainTable {
  const plain = serverTable(table, format.type === 'wide')
  const namespaces = listAt(table, 'rows').map((row) =>
    textAt(row, 'object', 'metadata', 'namespace'),
  )
  if (place.namespace !== undefined || !namespaces.some((namespace) => namespace !== undefined))
    return plain
  return {
    columns: ['Namespace', ...plain.columns],
    rows: plain.rows.map((row, index) => [namespaces[index] ?? '', ...row]),
  }
}

interface Followed {
  place: Place
  query: Query
  format: Format
  from: string | undefined
}

/** Follows changes until the command is interrupted; resumes a watch that ends. */
async function follow(
  call: Call,
  client: ApiClient,
  { place, query, format, from }: Followed,
): Promise<void> {
  const { watchObjects } = await import('../../client/watchObjects.ts')
  let resourceVersion = from
  while (!call.signal.aborted) {
    const watched = { place, query: { ...query, resourceVersion }, signal: call.signal }
    const end = await watchObjects(client, watched, async ({ type, object }) => {
      resourceVersion = object.metadata.resourceVersion
      if (type !== 'BOOKMARK') await showChange(call, client, { type, object, place, format })
      return false
    })
    if (end === 'expired')
      resourceVersion = (await client.list(place, { ...query, limit: '1' })).metadata
        .resourceVersion
  }
}

interface Change {
  type: string
  object: ApiObject
  place: Place
  format: Format
}

async function showChange(
  call: Call,
  client: ApiClient,
  { type, object, place, format }: Change,
): Promise<void> {
  if (!isTable(format)) return call.terminal.out(await formatted(object, format))
  const { name = '', namespace } = object.metadata
  if (type === 'DELETED') return call.terminal.out(`${name}   deleted\n`)
  const table = await client
    .table(client.pathOf({ ...place, namespace }, name))
    .catch(() => ({ columnDefinitions: [], rows: [] }))
  // Omits the header, which was already printed.
  const [, ...lines] = tableText(placedTable(table, format, place)).split('\n')
  await call.terminal.out(lines.join('\n'))
}

/** Prints one object in the requested format. */
export async function showObject(
  call: Call,
  client: ApiClient,
  place: Place,
  name: string,
): Promise<void> {
  const format = await formatOf(call.flags)
  if (!isTable(format))
    return call.terminal.out(await formatted(await client.get(place, name), format))
  const table = await client.table(client.pathOf(place, name))
  await call.terminal.out(tableText(serverTable(table, format.type === 'wide')))
}
