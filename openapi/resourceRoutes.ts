import { formOf } from '../apiserver/registry/objectForm.ts'
import { groupVersionString } from '../apiserver/meta/types.ts'
import type { GroupVersion } from '../apiserver/meta/types.ts'
import {
  kindOfSubresource,
  passesOn,
  type ResourceDefinition,
} from '../apiserver/registry/resource.ts'
import { connectOperation, methodOf, operationOf, type OperationPlace } from './operations.ts'
import type { OperationVerb } from './operationMakers.ts'
import * as parameters from './parameters.ts'
import type { Parameter, Route } from './route.ts'

/** Path such as `/api/v1` or `/apis/<group>/<version>`. */
export function groupVersionPath(groupVersion: GroupVersion): string {
  return `/${groupVersion.group === '' ? 'api' : 'apis'}/${groupVersionString(groupVersion)}`
}

/** All paths of a resource with at least one operation. Source: reference 6.3. */
export function resourceRoutes(resource: ResourceDefinition): Route[] {
  const routes = [
    collectionRoute(resource),
    itemRoute(resource),
    ...subresourceRoutes(resource),
    ...allNamespacesRoutes(resource),
    ...watchRoutes(resource),
  ]
  return routes.filter(({ operations }) => Object.keys(operations).length > 0)
}

function collectionRoute(resource: ResourceDefinition): Route {
  const verbs = served(resource, ['list', 'create', 'deletecollection'])
  return route(pathsOf(resource).collection, scopeOf(resource), { resource }, verbs)
}

function itemRoute(resource: ResourceDefinition): Route {
  const verbs = served(resource, ['get', 'update', 'patch', 'delete'])
  return route(pathsOf(resource).item, itemParameters(resource), { resource }, verbs)
}

function subresourceRoutes(resource: ResourceDefinition): Route[] {
  return (resource.subresources ?? []).flatMap((sub) => {
    const path = `${pathsOf(resource).item}/${sub.name}`
    const stream = 'resource' in sub ? sub.stream : undefined
    const speaks = kindOfSubresource(resource, sub)
    const place = { resource, subresource: sub.name, speaks, ...(stream && { stream }) }
    const named = itemParameters(resource, stream?.connects === true ? speaks : resource)
    const own = (stream?.parameters ?? []).map((one): Parameter => ({ ...one, in: 'query' }))
    if (passesOn(sub)) return proxyRoutes(path, [...own, ...named], place)
    return [route(path, [...own, ...named], place, sub.verbs)]
  })
}

const proxyMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const

/** Routes of a subresource that passes every request on: without and with a path after it. */
function proxyRoutes(path: string, named: readonly Parameter[], place: OperationPlace): Route[] {
  const operations = (hasPath: boolean) =>
    Object.fromEntries(
      proxyMethods.map((method) => [method, connectOperation(method, { ...place, hasPath })]),
    )
  return [
    { path, parameters: named, operations: operations(false) },
    {
      path: `${path}/{path}`,
      parameters: [...named, parameters.pathBehind],
      operations: operations(true),
    },
  ]
}

function allNamespacesRoutes(resource: ResourceDefinition): Route[] {
  if (!resource.namespaced) return []
  const place = { resource, allNamespaces: true }
  return [route(pathsOf(resource).everywhere, [], place, served(resource, ['list']))]
}

/** Routes of the deprecated form of watches, which is still served, and published for all but custom kinds. */
function watchRoutes(resource: ResourceDefinition): Route[] {
  if (!resource.verbs.includes('watch') || !formOf(resource).hasRoutes) return []
  const { collection, item, everywhere } = pathsOf(resource, '/watch')
  const place = { resource }
  const scoped = [
    route(collection, scopeOf(resource), place, ['watchList']),
    route(item, itemParameters(resource), place, ['watchItem']),
  ]
  if (!resource.namespaced) return scoped
  return [...scoped, route(everywhere, [], { resource, allNamespaces: true }, ['watchList'])]
}

function pathsOf(resource: ResourceDefinition, infix = '') {
  const root = groupVersionPath(resource) + infix
  const scope = resource.namespaced ? '/namespaces/{namespace}' : ''
  const collection = `${root}${scope}/${resource.plural}`
  return { collection, item: `${collection}/{name}`, everywhere: `${root}/${resource.plural}` }
}

function scopeOf({ namespaced }: ResourceDefinition): Parameter[] {
  return namespaced ? [parameters.namespace] : []
}

function itemParameters(resource: ResourceDefinition, named = resource): Parameter[] {
  return [parameters.name(named.kind), ...scopeOf(resource)]
}

function served<
  V extends 'list' | 'create' | 'deletecollection' | 'get' | 'update' | 'patch' | 'delete',
>({ verbs }: ResourceDefinition, candidates: readonly V[]): V[] {
  return candidates.filter((verb) => verbs.includes(verb))
}

function route(
  path: string,
  pathParameters: readonly Parameter[],
  place: OperationPlace,
  verbs: readonly OperationVerb[],
): Route {
  const operations = verbs.map((verb) => [methodOf[verb], operationOf(verb, place)] as const)
  return {
    path,
    parameters: place.stream?.connects ? pathParameters : [...pathParameters, parameters.pretty],
    operations: Object.fromEntries(operations),
  }
}
