import { isObject, jsonDifferences, type Difference, type JsonObject } from './jsonDifferences.ts'
import { getJson, type Server } from './server.ts'

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** Differences of the discovery documents of two servers in the groups, versions and resources that both serve. Groups
 *  and resources are matched by name regardless of order; the order of versions is compared. */
export async function discoveryDifferences(real: Server, ours: Server): Promise<Difference[]> {
  const both = async (path: string, accept?: string) =>
    Promise.all([getJson(real, path, accept), getJson(ours, path, accept)])
  const found: Difference[] = []
  const [realGroups, groups] = await both('/apis')
  found.push(...compared('/apis', [shared(realGroups, groups, 'groups'), groups]))
  const paths = ['/api', '/api/v1', ...groupPaths(groups)]
  for (const path of paths) {
    const [left, right] = await both(path)
    found.push(...compared(path, [shared(left, right, 'resources'), right]))
  }
  for (const path of ['/api', '/apis']) {
    const [left, right] = await both(path, aggregated)
    found.push(...compared(`${path} aggregated`, [sharedAggregated(left, right), right]))
  }
  return found
}

function compared(part: string, [real, ours]: [unknown, unknown]): Difference[] {
  return jsonDifferences(`discovery ${part}`, named(real), named(ours), ignored)
}

const ignored = new Set(['serverAddressByClientCIDRs'])

function groupPaths(groups: unknown): string[] {
  return listOf(groups, 'groups').flatMap((group) => [
    `/apis/${nameOf(group)}`,
    ...listOf(group, 'versions').map((version) => `/apis/${String(version['groupVersion'])}`),
  ])
}

/** Real response without the list items that ours lacks. */
function shared(real: unknown, ours: unknown, list: string): unknown {
  if (!isObject(real) || !(list in real)) return real
  const names = new Set(listOf(ours, list).map(nameOf))
  return { ...real, [list]: listOf(real, list).filter((item) => names.has(nameOf(item))) }
}

function sharedAggregated(real: unknown, ours: unknown): unknown {
  if (!isObject(real)) return real
  const groups = new Map(listOf(ours, 'items').map((group) => [nameOf(group), group]))
  const items = listOf(real, 'items').flatMap((group) => {
    const mine = groups.get(nameOf(group))
    return mine === undefined ? [] : [sharedVersions(group, mine)]
  })
  return { ...real, items }
}

function sharedVersions(group: JsonObject, mine: JsonObject): JsonObject {
  const versions = new Map(listOf(mine, 'versions').map((one) => [nameOf(one), one]))
  const kept = listOf(group, 'versions').flatMap((version) => {
    const own = versions.get(nameOf(version))
    return own === undefined ? [] : [shared(version, own, 'resources')]
  })
  return { ...group, versions: kept }
}

/** Lists of named values as objects by name. */
function named(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(named)
    const names = items.map((item) => (isObject(item) ? nameOf(item) : ''))
    return names.some((name) => name === '')
      ? items
      : Object.fromEntries(items.map((item, at) => [names[at], item]))
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, named(member)]))
}

function listOf(value: unknown, name: string): JsonObject[] {
  const list = isObject(value) ? value[name] : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** Name of a group, resource or version, as in discovery. */
function nameOf(item: JsonObject): string {
  const { name, resource, subresource, version, metadata } = item
  const inside = isObject(metadata) ? metadata['name'] : undefined
  const found = [name, resource, subresource, version, inside].find(
    (one) => typeof one === 'string',
  )
  return typeof found === 'string' ? found : ''
}
