/** Kind that the server serves. */
export interface Kind {
  /** Empty: the core group. */
  group: string
  version: string
  plural: string
  kind: string
  namespaced: boolean
  verbs: ReadonlySet<string>
  shortNames: readonly string[]
  subresources: ReadonlyMap<string, ReadonlySet<string>>
}

/** Identifier of a kind in addresses and settings. */
export function kindId({ group, version, plural }: Pick<Kind, 'group' | 'version' | 'plural'>) {
  return `${group === '' ? 'core' : group}/${version}/${plural}`
}

export function apiVersionOf({ group, version }: Pick<Kind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`
}

export interface Place {
  namespace?: string | undefined
  name?: string | undefined
  subresource?: string | undefined
}

type Located = Pick<Kind, 'group' | 'version' | 'plural' | 'namespaced'>

/** Path of a collection, an object or a subresource. */
export function kindPath(kind: Located, { namespace, name, subresource }: Place = {}): string {
  const root = kind.group === '' ? '/api/' : '/apis/'
  const below =
    kind.namespaced && namespace !== undefined && namespace !== '' ? ['namespaces', namespace] : []
  const parts = [...below, kind.plural, name, subresource].filter((part) => part !== undefined)
  return root + [apiVersionOf(kind), ...parts.map(encodeURIComponent)].join('/')
}

/**
 * Reports whether a kind is in the platform's own group. Its domain differs between installations.
 */
export function isPlatformKind({ group }: Pick<Kind, 'group'>): boolean {
  return group.startsWith('management.')
}

export function platformKind(kinds: readonly Kind[], plural: string): Kind | undefined {
  return kinds.find((kind) => isPlatformKind(kind) && kind.plural === plural)
}

/** Kind of a reference, such as an owner or an involved object. */
export function referencedKind(
  kinds: readonly Kind[],
  reference: { apiVersion?: string; kind?: string },
): Kind | undefined {
  const { apiVersion = '' } = reference
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return kinds.find((kind) => kind.kind === reference.kind && kind.group === group)
}
