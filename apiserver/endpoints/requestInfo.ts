import { plainError } from '../meta/statusErrors.ts'

/** What a URL and a method ask for. Source: reference 1.4. */
export interface RequestInfo {
  /** The path below the control plane's prefix, percent-decoded, without the query. */
  path: string
  /** Lower-case method for paths outside the API. */
  verb: string
  isResource: boolean
  /** Empty for the core group and outside the API. */
  group: string
  version: string
  namespace: string
  /** The resource stands below `/namespaces/<namespace>/`. A namespace itself has a namespace, its own, but does not. */
  isInNamespace: boolean
  /** The plural in the URL. */
  resource: string
  name: string
  subresource: string
  /** Segments after the subresource, for what is proxied. */
  rest: readonly string[]
  /** The URL has the deprecated `/watch/` in it. */
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

/** `watches` tells whether the query of a collection GET asks for a watch; it is called only then. */
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
  // An empty namespace is every namespace. Source: seen on kube-apiserver 1.37.2.
  info.isInNamespace &&= info.namespace !== ''
  if (info.name === '') info.verb = collectionVerb(info, watches)
  return info
}

function collectionVerb({ verb, isWatchPath }: RequestInfo, watches: () => boolean): string {
  if (verb === 'delete') return 'deletecollection'
  if (verb !== 'get' || isWatchPath) return verb
  return watches() ? 'watch' : 'list'
}

/** `path` is decoded before it is split, so that `%2F` separates like a slash: no name holds one. */
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
