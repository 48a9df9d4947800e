import { discoveryDifferences } from './discoveryDifferences.ts'
import { explainDifferences } from './explainDifferences.ts'
import { isObject, type Difference, type JsonObject } from './jsonDifferences.ts'
import { descriptionDifferences, openApiDifferences } from './openApiDifferences.ts'
import { getJson, type Server } from './server.ts'
import { columnDifferences } from './tableDifferences.ts'

export type { Difference } from './jsonDifferences.ts'
export type { Server } from './server.ts'

/**
 * All differences between the documents of two servers: OpenAPI v2 and v3, the trees of `kubectl
 * explain`, discovery in both forms, columns of tables. Only documents that both serve are
 * compared. `words`: descriptions too.
 */
export async function documentDifferences(
  real: Server,
  ours: Server,
  { words }: { words: boolean },
): Promise<Difference[]> {
  const [left, right] = await Promise.all([real, ours].map((one) => document(one, '/openapi/v2')))
  if (left === undefined || right === undefined) throw new Error('a server has no OpenAPI')
  return [
    ...openApiDifferences('openapi/v2', left, right),
    ...(words ? descriptionDifferences('openapi/v2', left, right) : []),
    ...(await documentsV3(real, ours)),
    ...(await discoveryDifferences(real, ours)),
    ...(await columnDifferences(real, ours)),
  ]
}

async function documentsV3(real: Server, ours: Server): Promise<Difference[]> {
  const [left, right] = await Promise.all([keysV3(real), keysV3(ours)])
  const found: Difference[] = []
  for (const [key, path] of right) {
    const there = left.get(key)
    if (there === undefined) continue
    const documents = await Promise.all([document(real, there), document(ours, path)])
    const part = `openapi/v3/${key}`
    found.push(...openApiDifferences(part, ...documents), ...explainDifferences(part, ...documents))
  }
  return found
}

async function keysV3(server: Server): Promise<Map<string, string>> {
  const { paths } = await document(server, '/openapi/v3')
  const entries = Object.entries(isObject(paths) ? paths : {}).map(([key, one]) => [
    key,
    isObject(one) ? String(one['serverRelativeURL']) : '',
  ])
  return new Map(entries as [string, string][]) // pairs, by the line above
}

async function document(server: Server, path: string): Promise<JsonObject> {
  const body = await getJson(server, path)
  if (!isObject(body)) throw new Error(`${server.url}${path} is no document`)
  return body
}
