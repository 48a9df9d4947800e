import { isObject } from '../meta/json/isObject.ts'
import { weighedJson } from '../webhooks/weighedJson.ts'

/** Maximum weight of a list of resources, as computed by `jsonShape`. */
const mostWeight = 50_000

/** A resource in aggregated discovery. */
export interface DiscoveredResource {
  resource: string
  responseKind: { group: string; version: string; kind: string }
  scope: 'Namespaced' | 'Cluster'
  singularResource: string
  verbs: string[]
  shortNames?: string[]
  categories?: string[]
  subresources?: Omit<DiscoveredResource, 'resource' | 'scope' | 'singularResource'>[]
}

/** Resources of a group version, from its list at `/apis/<group>/<version>`; undefined: the body is not such a list. */
export function discoveredResources(body: Buffer): DiscoveredResource[] | undefined {
  const list = parsed(body)
  if (list === undefined) return undefined
  const found = new Map<string, DiscoveredResource>()
  for (const entry of list) {
    const name = textOf(entry['name'])
    const [resource = '', ...rest] = name.split('/')
    if (rest.length === 0) found.set(resource, wholeResource(resource, entry))
  }
  for (const entry of list) {
    const [resource = '', ...rest] = textOf(entry['name']).split('/')
    const parent = found.get(resource)
    if (rest.length === 0 || parent === undefined) continue
    const subresource = { subresource: rest.join('/'), ...commonParts(entry) }
    parent.subresources = [...(parent.subresources ?? []), subresource]
  }
  return [...found.values()]
}

function parsed(body: Buffer): Record<string, unknown>[] | undefined {
  try {
    const list = weighedJson(body.toString(), mostWeight)
    if (!isObject(list) || list['kind'] !== 'APIResourceList') return undefined
    const { resources } = list
    return Array.isArray(resources) ? resources.filter(isObject) : []
  } catch {
    return undefined
  }
}

function wholeResource(resource: string, entry: Record<string, unknown>): DiscoveredResource {
  const shortNames = textsOf(entry['shortNames'])
  const categories = textsOf(entry['categories'])
  const { responseKind, verbs } = commonParts(entry)
  return {
    resource,
    responseKind,
    scope: entry['namespaced'] === true ? 'Namespaced' : 'Cluster',
    singularResource: textOf(entry['singularName']),
    verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
  }
}

function commonParts(
  entry: Record<string, unknown>,
): Pick<DiscoveredResource, 'responseKind' | 'verbs'> {
  const [group, version, kind] = ['group', 'version', 'kind'].map((name) => textOf(entry[name]))
  return {
    responseKind: { group: group ?? '', version: version ?? '', kind: kind ?? '' },
    verbs: textsOf(entry['verbs']),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}
