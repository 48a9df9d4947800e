import { isObject, jsonDifferences, type Difference } from './jsonDifferences.ts'
import { get, getJson, type Server } from './server.ts'

const descriptions = new Set(['description'])
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'

/**
 * Differences of the columns of lists requested as tables, for every resource that ours can list.
 * Descriptions of columns are specific to each server.
 */
export async function columnDifferences(real: Server, ours: Server): Promise<Difference[]> {
  const found: Difference[] = []
  for (const path of await listPaths(ours)) {
    const answers = await Promise.all([get(real, path, table), get(ours, path, table)])
    const [left, right] = answers.map(({ code, body }) => ({ code, columns: columnsOf(body) }))
    if (answers[0].code !== 404)
      found.push(...jsonDifferences(`table ${path}`, left, right, descriptions))
  }
  return found
}

async function listPaths(server: Server): Promise<string[]> {
  const groups = await getJson(server, '/apis')
  const versions = itemsOf(groups, 'groups').flatMap((group) =>
    itemsOf(group, 'versions').map(({ groupVersion }) => `/apis/${String(groupVersion)}`),
  )
  const paths: string[] = []
  for (const root of ['/api/v1', ...versions]) {
    const resources = itemsOf(await getJson(server, root), 'resources')
    const listed = resources.filter(({ verbs }) => Array.isArray(verbs) && verbs.includes('list'))
    paths.push(...listed.map(({ name }) => `${root}/${String(name)}`))
  }
  return paths
}

function itemsOf(value: unknown, name: string) {
  const list = isObject(value) ? value[name] : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

function columnsOf(body: string): unknown {
  const parsed: unknown = JSON.parse(body)
  return isObject(parsed) ? parsed['columnDefinitions'] : undefined
}
