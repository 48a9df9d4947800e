/** The plane in a URL. Source: platform facts 5. */
export type PlaneAddress =
  | { form: 'cluster'; cluster: string }
  | { form: 'instance'; project: string; name: string }
  /** A virtual cluster by its host placement. */
  | { form: 'legacy'; cluster: string; namespace: string; name: string }

/** A namespace of a cluster that serves a project as a space. */
export interface SpaceAddress {
  form: 'space'
  project: string
  name: string
}

export interface AddressedPath {
  address: PlaneAddress | SpaceAddress
  /** Path below the plane's prefix; begins with a slash. */
  path: string
}

/** Parses the prefix of a percent-decoded path; undefined: not a plane's path. */
export function planeAddress(path: string, proxySegment: string): AddressedPath | undefined {
  const prefix = `/${proxySegment}/`
  if (!path.startsWith(prefix)) return undefined
  const form = segments(path, prefix.length, 1)
  const end = form?.end ?? path.length
  switch (form?.names[0] ?? '') {
    case 'cluster':
      return addressed(path, end, 1, ([cluster = '']) => ({ form: 'cluster', cluster }))
    case 'project':
      return addressed(path, end, 3, ([project = '', word, name = '']) =>
        word === 'virtualcluster'
          ? { form: 'instance', project, name }
          : word === 'space'
            ? { form: 'space', project, name }
            : undefined,
      )
    case 'virtualcluster':
      return addressed(path, end, 3, ([cluster = '', namespace = '', name = '']) => ({
        form: 'legacy',
        cluster,
        namespace,
        name,
      }))
    default:
      return undefined
  }
}

function addressed(
  path: string,
  from: number,
  count: number,
  addressOf: (names: string[]) => AddressedPath['address'] | undefined,
): AddressedPath | undefined {
  const found = segments(path, from, count)
  const address = found && addressOf(found.names)
  if (found === undefined || address === undefined) return undefined
  return { address, path: found.end >= path.length ? '/' : path.slice(found.end - 1) }
}

/** Reads `count` non-empty segments from `from` on, and returns the start of the next one. */
function segments(path: string, from: number, count: number) {
  const names: string[] = []
  let at = from
  while (names.length < count) {
    const slash = path.indexOf('/', at)
    const end = slash < 0 ? path.length : slash
    if (end <= at) return undefined
    names.push(path.slice(at, end))
    at = end + 1
  }
  return { names, end: at }
}
