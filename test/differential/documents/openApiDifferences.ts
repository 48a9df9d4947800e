import { isObject, jsonDifferences, type Difference, type JsonObject } from './jsonDifferences.ts'

/** Differences of two OpenAPI documents (v2, or one of v3) in the paths that both serve and in the definitions that these
 *  reach. A path that one side lacks is reported once if the other resources of its group version are served.
 *  Descriptions are compared by `descriptionDifferences`; titles, versions and security belong to each server. */
export function openApiDifferences(part: string, real: JsonObject, ours: JsonObject): Difference[] {
  const names = definitionsReached(ours)
  return [
    ...jsonDifferences(`${part} paths`, sharedPaths(real, ours), ordered(ours['paths']), ignored),
    ...jsonDifferences(
      `${part} definitions`,
      withServedKinds(picked(definitionsOf(real), names), ours),
      picked(definitionsOf(ours), names),
      ignored,
    ),
  ]
}

/** Differences of the descriptions of definitions and fields, including those that only one side has. */
export function descriptionDifferences(
  part: string,
  real: JsonObject,
  ours: JsonObject,
): Difference[] {
  const names = definitionsReached(ours)
  return jsonDifferences(
    `${part} descriptions`,
    described(picked(definitionsOf(real), names)),
    described(picked(definitionsOf(ours), names)),
  )
}

const kindsExtension = 'x-kubernetes-group-version-kind'
const ignored = new Set(['description', 'security', 'schemes'])

export function definitionsOf(document: JsonObject): JsonObject {
  const { definitions, components } = document
  if (isObject(definitions)) return definitions
  const schemas = isObject(components) ? components['schemas'] : undefined
  return isObject(schemas) ? schemas : {}
}

/**
 * Paths of the real server that ours also has, or that belong to a resource of which ours has
 * paths.
 */
function sharedPaths(real: JsonObject, ours: JsonObject): unknown {
  const mine = isObject(ours['paths']) ? ours['paths'] : {}
  const resources = new Set(Object.keys(mine).map(resourceOf))
  const paths = isObject(real['paths']) ? real['paths'] : {}
  const shared = Object.entries(paths).filter(
    ([path]) => path in mine || resources.has(resourceOf(path)),
  )
  return ordered(Object.fromEntries(shared), real['parameters'])
}

/** Path of a resource, such as `/apis/apps/v1/deployments`, for every path below it. */
function resourceOf(path: string): string {
  const [root, segments] = path.startsWith('/api/')
    ? ['/api/v1', path.split('/').slice(3)]
    : [path.split('/').slice(0, 4).join('/'), path.split('/').slice(4)]
  const plain = segments[0] === 'watch' ? segments.slice(1) : segments
  const scoped = plain[0] === 'namespaces' && plain.length > 2 ? plain.slice(2) : plain
  return `${root}/${scoped[0] ?? ''}`
}

/**
 * Parameters in one order, without references, with those of the path copied to each operation:
 * these differences have no meaning.
 */
function ordered(paths: unknown, known: unknown = {}): unknown {
  if (!isObject(paths)) return {}
  const parameters = isObject(known) ? known : {}
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      isObject(item) ? orderedItem(item, parameters) : item,
    ]),
  )
}

function orderedItem({ parameters, ...operations }: JsonObject, known: JsonObject): JsonObject {
  const shared = listOf(parameters)
  return Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => {
      if (!isObject(operation)) return [method, operation]
      const own = listOf(operation['parameters'])
      const all = Object.fromEntries(
        [...shared, ...own]
          .map((one) => resolved(one, known))
          .map((one) => [parameterName(one), one]),
      )
      return [method, { ...operation, parameters: all }]
    }),
  )
}

function resolved(parameter: unknown, known: JsonObject): JsonObject {
  if (!isObject(parameter)) return {}
  const { $ref } = parameter
  const target = typeof $ref === 'string' ? known[$ref.split('/').at(-1) ?? ''] : parameter
  return isObject(target) ? target : {}
}

function parameterName({ name }: JsonObject): string {
  return typeof name === 'string' ? name : ''
}

function definitionsReached(document: JsonObject): Set<string> {
  const definitions = definitionsOf(document)
  return new Set(Object.keys(definitions))
}

function picked(definitions: JsonObject, names: ReadonlySet<string>): JsonObject {
  const queue = [...names]
  const reached = new Set<string>()
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (reached.has(name)) continue
    reached.add(name)
    queue.push(...referencesOf(definitions[name]))
  }
  return Object.fromEntries(
    [...reached]
      .filter((name) => name in definitions)
      .sort()
      .map((name) => [name, withSortedRequired(definitions[name])]),
  )
}

function referencesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesOf)
  if (!isObject(value)) return []
  const { $ref } = value
  const own = typeof $ref === 'string' ? [$ref.split('/').at(-1) ?? ''] : []
  return [...own, ...Object.values(value).flatMap(referencesOf)]
}

/** Sorted `required` and kinds of a definition, whose order has no meaning. */
function withSortedRequired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedRequired)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === 'required' && Array.isArray(member)) return [name, listOf(member).sort()]
      if (name === kindsExtension && Array.isArray(member)) {
        return [name, member.map(kindName).sort()]
      }
      return [name, withSortedRequired(member)]
    }),
  )
}

/** Without the group versions of DeleteOptions and WatchEvent that ours does not serve. */
function withServedKinds(definitions: JsonObject, ours: JsonObject): JsonObject {
  const mine = picked(definitionsOf(ours), definitionsReached(ours))
  return Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => {
      const kinds = isObject(definition) && definition[kindsExtension]
      const own = mine[name]
      const served = isObject(own) && own[kindsExtension]
      if (
        !isObject(definition) ||
        !Array.isArray(kinds) ||
        !Array.isArray(served) ||
        !/\.(DeleteOptions|WatchEvent)$/.test(name)
      )
        return [name, definition]
      return [
        name,
        { ...definition, [kindsExtension]: kinds.filter((kind) => served.includes(kind)) },
      ]
    }),
  )
}

function kindName(kind: unknown): string {
  if (!isObject(kind)) return ''
  return ['group', 'version', 'kind'].map((word) => String(kind[word])).join('/')
}

/** Descriptions by `definition` and `definition.field`; white space is normalised. */
function described(definitions: JsonObject): JsonObject {
  const found: Record<string, string> = {}
  for (const [name, definition] of Object.entries(definitions)) {
    if (!isObject(definition)) continue
    found[name] = plain(definition['description'])
    const { properties } = definition
    for (const [field, schema] of Object.entries(isObject(properties) ? properties : {})) {
      if (isObject(schema)) found[`${name}.${field}`] = plain(schema['description'])
    }
  }
  return found
}

function plain(description: unknown): string {
  return typeof description === 'string' ? description.replace(/\s+/g, ' ').trim() : ''
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? [...(value as unknown[])] : [] // what a list holds is unknown
}
