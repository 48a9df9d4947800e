import { jsonDocument } from '../discovery/servedDocument.ts'
import { groupBy } from '../meta/collections/groupBy.ts'
import { compareVersions } from '../meta/versionOrder.ts'
import type { Document } from '../endpoints/documents/cacheableDocument.ts'
import type { DocumentSource } from '../endpoints/documents/documents.ts'
import type { Backend } from './backend.ts'
import { mergedSwagger, swaggerProtobuf } from './mergedSwagger.ts'

/** Parts of the merged documents that come from other servers. */
export interface RemoteParts {
  backends: readonly Backend[]
  /** Priorities of a group and of a version in it, according to the APIServices of this server. */
  priorityOf: (group: string, version: string) => { groupPriority: number; versionPriority: number }
}

interface GroupEntry {
  name: string
  versions: { groupVersion: string; version: string }[]
  preferredVersion?: { groupVersion: string; version: string }
}

interface DiscoveryItem {
  metadata: { name?: string }
  versions: { version: string; resources: unknown[]; freshness: string }[]
}

/**
 * Documents of this server merged with those of the servers behind its APIServices. Each is created
 * on request, and again when this server's own document changes.
 */
export function mergedDocuments(own: DocumentSource, parts: RemoteParts): DocumentSource {
  const memo = new Memo()
  const swagger = async () => {
    const document = await own.openapiV2()
    return memo.of('v2', document, () => mergedSwagger(document, parts.backends))
  }
  return {
    ...own,
    apis: () => memo.changed('apis', own.apis(), (list) => withGroups(list, parts)),
    group: (name) => mergedGroup(own, name, parts),
    aggregated: (root, version) => {
      const document = own.aggregated(root, version)
      if (root === 'api') return document
      return memo.changed(`aggregated ${version}`, document, (list) => withItems(list, parts))
    },
    openapiV2: swagger,
    openapiV2Protobuf: async () => {
      const document = await swagger()
      if (document === (await own.openapiV2())) return own.openapiV2Protobuf()
      return memo.of('v2 protobuf', document, () => swaggerProtobuf(document))
    },
    openapiV3Index: async () => {
      const document = await own.openapiV3Index()
      return memo.changed('v3', document, (index) => withIndex(index, parts)) ?? document
    },
  }
}

/** Cache of derived documents, each valid as long as its source is the same. */
class Memo {
  readonly #made = new Map<string, { from: Document; document: unknown }>()

  /** Derived document; every document under a key has the same type. */
  of<Made>(key: string, from: Document, make: () => Made): Made {
    const known = this.#made.get(key)
    if (known?.from === from) return known.document as Made // one type per key
    const document = make()
    this.#made.set(key, { from, document })
    return document
  }

  /** Copy of a document with changed content, of the same type. */
  changed(
    key: string,
    from: Document | undefined,
    change: (value: Members) => Members,
  ): Document | undefined {
    if (from === undefined) return undefined
    return this.of(key, from, () => {
      const value = JSON.parse(from.body.toString()) as Members // created by this server
      return jsonDocument(change(value), from.contentType)
    })
  }
}

type Members = Record<string, unknown>

function withGroups(list: Members, parts: RemoteParts): Members {
  const groups = new Map((list['groups'] as GroupEntry[]).map((group) => [group.name, group]))
  for (const [name, backends] of byGroup(parts)) {
    groups.set(name, groupEntry(name, groups.get(name), backends, parts))
  }
  return { ...list, groups: inOrder([...groups.values()], ({ name }) => name, parts) }
}

function mergedGroup(own: DocumentSource, name: string, parts: RemoteParts): Document | undefined {
  const backends = byGroup(parts).get(name)
  const known = own.group(name)
  if (backends === undefined) return known
  const entry = known && (JSON.parse(known.body.toString()) as GroupEntry)
  const merged = groupEntry(name, entry, backends, parts)
  return jsonDocument({ kind: 'APIGroup', apiVersion: 'v1', ...merged })
}

function groupEntry(
  name: string,
  own: GroupEntry | undefined,
  backends: readonly Backend[],
  parts: RemoteParts,
): GroupEntry {
  const remote = backends.map(({ remote: { version } }) => version)
  const known = own?.versions.map(({ version }) => version) ?? []
  const versions = versionsInOrder(name, [...new Set([...known, ...remote])], parts)
  const entries = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }))
  const [preferredVersion] = entries
  return {
    name,
    versions: entries,
    ...(preferredVersion === undefined ? {} : { preferredVersion }),
  }
}

function withItems(list: Members, parts: RemoteParts): Members {
  const items = new Map(
    (list['items'] as DiscoveryItem[]).map((item) => [item.metadata.name ?? '', item]),
  )
  for (const [name, backends] of byGroup(parts)) {
    const own = items.get(name)
    const versions = new Map(own?.versions.map((version) => [version.version, version]) ?? [])
    for (const { remote, resources, isAvailable } of backends) {
      const { version } = remote
      const freshness = isAvailable ? 'Current' : 'Stale'
      versions.set(version, { version, resources: [...resources], freshness })
    }
    const ordered = versionsInOrder(name, [...versions.keys()], parts)
    const found = ordered.flatMap((version) => versions.get(version) ?? [])
    items.set(name, { metadata: { name }, versions: found })
  }
  return {
    ...list,
    items: inOrder([...items.values()], ({ metadata }) => metadata.name ?? '', parts),
  }
}

function withIndex(index: Members, { backends }: RemoteParts): Members {
  const paths = { ...(index['paths'] as Members) }
  for (const { openapi } of backends) {
    if (openapi.url !== undefined) paths[openapi.key] = { serverRelativeURL: openapi.url }
    else Reflect.deleteProperty(paths, openapi.key)
  }
  return { ...index, paths }
}

function byGroup({ backends }: RemoteParts): Map<string, Backend[]> {
  return groupBy(backends, ({ remote }) => remote.group)
}

function versionsInOrder(
  group: string,
  versions: readonly string[],
  { priorityOf }: RemoteParts,
): string[] {
  const priority = (version: string) => priorityOf(group, version).versionPriority
  return [...versions].sort((a, b) => priority(b) - priority(a) || compareVersions(a, b))
}

/**
 * Groups in order: groups of other servers precede the first group of lower priority, and this
 * server's groups keep their order.
 */
function inOrder<Entry>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
  { backends, priorityOf }: RemoteParts,
): Entry[] {
  const remote = new Set(backends.map(({ remote: { group } }) => group))
  const isRemote = (entry: Entry) => remote.has(nameOf(entry))
  const priority = (entry: Entry) => priorityOf(nameOf(entry), '').groupPriority
  const compare = (a: Entry, b: Entry) =>
    priority(b) - priority(a) || (nameOf(a) < nameOf(b) ? -1 : 1)
  const ordered = entries.filter((entry) => !isRemote(entry))
  for (const entry of entries.filter(isRemote).sort(compare)) {
    const before = ordered.findIndex((other) => compare(entry, other) < 0)
    ordered.splice(before < 0 ? ordered.length : before, 0, entry)
  }
  return ordered
}
