import { plainError } from '../meta/statusErrors.ts'

/** The parsed URL and method of a request. Source: reference 1.4. */
export interface RequestInfo {
  /** The path below the control plane's prefix, percent-decoded, without the query. */
  path: string
  /** Verb; for paths outside the API the lower-case method. */
  verb: string
  isResource: boolean
  /** Empty for the core group and outside the API. */
  group: string
  version: string
  namespace: string
  /**
   * True if the path contains `/namespaces/<namespace>/` before the resource. False for a namespace
   * itself, although `namespace` is its own name.
   */
  isInNamespace: boolean
  /** The plural in the URL. */
  resource: string
  name: string
  subresource: string
  /** Segments after the subresource, for proxies. */
  rest: readonly string[]
  /** True if the path contains the deprecated `/watch/`. */
  isWatchPath: boolean
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/**
 * Parses a request. `watches` returns whether the query of a collection GET requests a watch; it is only called then.
 */
export function requestInfo(method: string, path: string, watches: () => boolean): RequestInfo {
  const parts = segments(path)
  const headLength = parts[0] === 'api' ? 2 : 3
  const isResource =
    (parts[0] === 'api' || parts[0] === 'apis') && parts.length > Math.max(2, headLength)
  const info: RequestInfo = {
    path,
    verb: isResource ? (verbs[method] ?? '') : method.toLowerCase(),
    isResource,
    group: '',
    version: '',
    namespace: '',
    isInNamespace: false,
    resource: '',
    name: '',
    subresource: '',
    rest: [],
    isWatchPath: false,
  }
  if (!isResource) return info
  if (headLength === 3) info.group = parts[1] ?? ''
  info.version = parts[headLength - 1] ?? ''
  readTarget(info, parts.slice(headLength))
  // An empty namespace means every namespace. Source: seen on kube-apiserver 1.37.2.
  info.isInNamespace &&= info.namespace !== ''
  if (info.name === '') info.verb = collectionVerb(info, watches)
  return info
}

function collectionVerb({ verb, isWatchPath }: RequestInfo, watches: () => boolean): string {
  if (verb === 'delete') return 'deletecollection'
  if (verb !== 'get' || isWatchPath) return verb
  return watches() ? 'watch' : 'list'
}

/** Splits a path that is already decoded, so that `%2F` separates like a slash: names cannot contain a slash. */
function segments(path: string): string[] {
  let [from, to] = [0, path.length]
  while (path[from] === '/') from++
  while (to > from && path[to - 1] === '/') to--
  return path.slice(from, to).split('/')
}

function readTarget(info: RequestInfo, given: string[]): void {
  let parts = given
  if (parts[0] === 'watch') {
    if (parts.length < 2) {
      throw plainError(`unable to determine kind and namespace from url, ${info.path}`)
    }
    info.isWatchPath = true
    info.verb = 'watch'
    parts = parts.slice(1)
  }
  if (parts[0] === 'namespaces' && parts.length > 1) {
    info.namespace = parts[1] ?? ''
    const third = parts[2]
    info.isInNamespace = third !== undefined && third !== 'status' && third !== 'finalize'
    if (info.isInNamespace) parts = parts.slice(2)
  }
  info.resource = parts[0] ?? ''
  info.name = parts[1] ?? ''
  info.subresource = parts[2] ?? ''
  info.rest = parts.slice(3)
}
