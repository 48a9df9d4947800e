import { methodNotSupported, notFound } from '../meta/statusErrors.ts'
import {
  groupResource,
  type ResourceDefinition,
  type SubresourceDefinition,
} from '../registry/resource.ts'
import type { RequestInfo } from './requestInfo.ts'

/** The route of a request within a kind. */
export interface KindRoute {
  subresource: SubresourceDefinition | undefined
  verb: string
}

/**
 * Finds the route of a custom kind. Its requests are not routed by method and path: a HEAD is a
 * GET, segments after a subresource are ignored, and a missing route is reported as a missing
 * object or kind. Source: the real server's answers; reference 0.4.
 * @throws StatusError NotFound or MethodNotAllowed.
 */
export function customRoute(info: RequestInfo, resource: ResourceDefinition): KindRoute {
  const subresource = findSubresource(info, resource)
  const verbs: readonly string[] = (subresource ?? resource).verbs
  if (!verbs.includes(info.verb)) throw methodNotSupported(groupResource(resource), info.verb)
  return { subresource, verb: info.verb }
}

const acrossNamespaces = ['list', 'watch']

/**
 * Reports whether a namespaced kind allows the request: without a namespace only lists and watches, whatever the
 * method.
 */
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
