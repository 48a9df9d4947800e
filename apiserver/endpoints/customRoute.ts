import { methodNotSupported, notFound } from '../meta/statusErrors.ts'
import {
  groupResource,
  type ResourceDefinition,
  type SubresourceDefinition,
} from '../registry/resource.ts'
import type { RequestInfo } from './requestInfo.ts'

/** What a request to a kind leads to. */
export interface KindRoute {
  subresource: SubresourceDefinition | undefined
  verb: string
}

/** Custom kinds have no routes by method, path by path: what is asked for is what the URL says, a HEAD is a GET, what
 *  follows a subresource counts for nothing, and what there is not is missing of the object or of the kind. Source: the
 *  real server's answers; reference 0.4.
 *  @throws StatusError NotFound or MethodNotAllowed. */
export function customRoute(info: RequestInfo, resource: ResourceDefinition): KindRoute {
  const subresource = findSubresource(info, resource)
  const verbs: readonly string[] = (subresource ?? resource).verbs
  if (!verbs.includes(info.verb)) throw methodNotSupported(groupResource(resource), info.verb)
  return { subresource, verb: info.verb }
}

const acrossNamespaces = ['list', 'watch']

/** Whatever the method: without a namespace a namespaced kind has lists and watches alone. */
export function fitsCustomScope(info: RequestInfo, { namespaced }: ResourceDefinition): boolean {
  if (!namespaced) return !info.isInNamespace
  return info.namespace !== '' || acrossNamespaces.includes(info.verb)
}

function findSubresource(
  { subresource, name }: RequestInfo,
  resource: ResourceDefinition,
): SubresourceDefinition | undefined {
  if (subresource === '') return undefined
  const found = resource.subresources?.find((known) => known.name === subresource)
  if (found === undefined) throw notFound(groupResource(resource), name)
  return found
}
