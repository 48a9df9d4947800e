import type { ApiClient } from './client.ts'
import type { Kind } from './kinds.ts'

interface GroupList {
  items: {
    metadata?: { name?: string }
    versions: { version: string; resources?: ResourceEntry[] }[]
  }[]
}

interface ResourceEntry {
  resource: string
  responseKind?: { kind: string }
  scope: string
  shortNames?: string[]
  verbs: string[]
  subresources?: { subresource: string; verbs: string[] }[]
}

const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** Every kind in discovery, in the preferred version of its group, in the server's order. */
export async function readKinds(client: ApiClient): Promise<Kind[]> {
  const lists = await Promise.all(
    ['/api', '/apis'].map((path) => client.call<GroupList>(path, { accept })),
  )
  return lists.flatMap(({ items }) => items).flatMap(kindsOf)
}

function kindsOf({ metadata, versions }: GroupList['items'][number]): Kind[] {
  const group = metadata?.name ?? ''
  const seen = new Set<string>()
  return versions.flatMap(({ version, resources = [] }) =>
    resources
      .filter(({ resource }) => !seen.has(resource))
      .map((entry) => {
        seen.add(entry.resource)
        return kindOf(entry, group, version)
      }),
  )
}

function kindOf(entry: ResourceEntry, group: string, version: string): Kind {
  return {
    group,
    version,
    plural: entry.resource,
    kind: entry.responseKind?.kind ?? entry.resource,
    namespaced: entry.scope === 'Namespaced',
    verbs: new Set(entry.verbs),
    shortNames: entry.shortNames ?? [],
    subresources: new Map(
      (entry.subresources ?? []).map(({ subresource, verbs }) => [subresource, new Set(verbs)]),
    ),
  }
}
