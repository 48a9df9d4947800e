import { formOf } from '../registry/objectForm.ts'
import type { StatusError } from '../meta/status.ts'
import { methodNotSupported, routeMethodNotAllowed, routeNotFound } from '../meta/statusErrors.ts'
import {
  groupResource,
  kindOfSubresource,
  passesOn,
  type ResourceDefinition,
  type SubresourceDefinition,
} from '../registry/resource.ts'
import { customRoute, fitsCustomScope, type KindRoute } from './customRoute.ts'
import { handleAnswered } from './handlers/answered.ts'
import type { Exchange } from './exchange.ts'
import { checkPathName } from './pathName.ts'
import { writeText } from './response/response.ts'
import type { RequestInfo } from './requestInfo.ts'
import type { Target } from './target.ts'
import { handleCreate } from './handlers/create.ts'
import { handleDelete } from './handlers/delete.ts'
import { handleDeleteCollection } from './handlers/deleteCollection.ts'
import { handleGet } from './handlers/get.ts'
import { handleList } from './handlers/list.ts'
import { handlePatch } from './handlers/patch.ts'
import { handleProxied, proxyMethods } from './handlers/proxied.ts'
import { handleUpdate } from './handlers/update.ts'
import { handleWatch } from './handlers/watch.ts'

type Handler = (exchange: Exchange, target: Target) => Promise<void>

const handlers: Readonly<Record<string, Handler>> = {
  get: handleGet,
  list: handleList,
  watch: handleWatch,
  create: handleCreate,
  update: handleUpdate,
  patch: handlePatch,
  delete: handleDelete,
  deletecollection: handleDeleteCollection,
}

/** Passes the exchange to the handler of its verb. Source: reference 1.5, 6.3. */
export async function route(exchange: Exchange): Promise<void> {
  const { info, plane } = exchange
  const passedOn = plane.remote?.serve(exchange)
  if (passedOn !== undefined) return passedOn
  const resource = info.isResource ? plane.resources.get(info, info.resource) : undefined
  exchange.resource = resource
  exchange.bodyKind = resource
  if (resource === undefined) {
    if (await plane.serveDocument(exchange)) return
    throw routeNotFound()
  }
  const { hasRoutes } = formOf(resource)
  if (!fits(exchange, resource)) return refuseScope(exchange, resource)
  if (resource.deprecationWarning !== undefined) exchange.warnings.add(resource.deprecationWarning)
  const found = hasRoutes ? routeByMethod(exchange, resource) : customRoute(info, resource)
  // Creates and updates first compare the name in the body with the path's.
  if (found.verb !== 'create' && found.verb !== 'update') checkPathName(info.name)
  await handle(exchange, { resource, ...found })
}

function routeByMethod(exchange: Exchange, resource: ResourceDefinition): KindRoute {
  const subresource = findSubresource(exchange, resource)
  const verb = servedVerb(exchange, resource, subresource)
  if (verb === undefined) throw notServed(exchange, resource)
  return { subresource, verb }
}

/** The error for an unsupported verb. A collection that can be listed has a watch route, too. Source: reference 5.1. */
function notServed({ info, method }: Exchange, resource: ResourceDefinition): StatusError {
  const { verbs } = resource
  const isWatch = info.verb === 'watch' && method === 'GET' && info.name === ''
  return isWatch && !info.isWatchPath && verbs.includes('list') && !verbs.includes('watch')
    ? methodNotSupported(groupResource(resource), 'watch')
    : routeMethodNotAllowed()
}

interface Route extends KindRoute {
  resource: ResourceDefinition
}

/** Runs the handler of a stored kind, or the handler that a kind without a store provides. */
async function handle(exchange: Exchange, { resource, subresource, verb }: Route): Promise<void> {
  const { info, plane } = exchange
  const object = { namespace: resource.namespaced ? info.namespace : '', name: info.name }
  const spoken = subresource === undefined ? resource : kindOfSubresource(resource, subresource)
  exchange.bodyKind = spoken
  const { answers } = spoken
  if (answers !== undefined) {
    const parent = subresource && { parent: { resource, subresource } }
    const target = { resource: spoken, answers, object, verb, ...parent }
    return answers.proxy === undefined
      ? handleAnswered(exchange, target)
      : handleProxied(exchange, target)
  }
  const handler = handlers[verb]
  if (handler === undefined) throw routeMethodNotAllowed()
  const parentSubresource =
    subresource === undefined || 'resource' in subresource ? undefined : subresource
  const store = plane.storeOf(resource)
  await handler(exchange, { resource, store, object, subresource: parentSubresource })
}

function fits(exchange: Exchange, resource: ResourceDefinition): boolean {
  return formOf(resource).hasRoutes
    ? fitsScope(exchange, resource)
    : fitsCustomScope(exchange.info, resource)
}

/** Refuses a request outside the scope of its kind. Source: seen on kube-apiserver 1.37.2. */
function refuseScope(exchange: Exchange, resource: ResourceDefinition): void {
  if (formOf(resource).hasRoutes) throw routeNotFound()
  writeText(exchange, 404, '404 page not found\n')
}

/** Reports whether the path fits the kind: namespaced kinds are below a namespace, others are not. */
function fitsScope({ info }: Exchange, resource: ResourceDefinition): boolean {
  if (!resource.namespaced) return !info.isInNamespace
  return info.isInNamespace ? info.namespace !== '' : info.name === ''
}

function findSubresource(
  { info }: Exchange,
  resource: ResourceDefinition,
): SubresourceDefinition | undefined {
  if (info.subresource === '' && info.rest.length === 0) return undefined
  const found = resource.subresources?.find(({ name }) => name === info.subresource)
  // The deprecated form of watches has no subresources.
  if (found === undefined || info.isWatchPath || (info.rest.length > 0 && !passesOn(found)))
    throw routeNotFound()
  return found
}

const itemVerbs = ['get', 'update', 'patch', 'delete', 'watch']
const collectionVerbs = ['list', 'watch', 'create', 'deletecollection']
const acrossNamespaces = ['list', 'watch']

function servedVerb(
  { info, method }: Exchange,
  resource: ResourceDefinition,
  subresource: SubresourceDefinition | undefined,
): string | undefined {
  const { verb, isWatchPath } = info
  if (passesOn(subresource)) return proxyMethods.has(method) ? verb : undefined
  if (method === 'HEAD' || method === 'OPTIONS' || (isWatchPath && method !== 'GET'))
    return undefined
  const served: readonly string[] = (subresource ?? resource).verbs
  const fits = subresource !== undefined || possibleVerbs(info, resource).includes(verb)
  return fits && served.includes(verb) ? verb : undefined
}

function possibleVerbs(
  { name, namespace }: RequestInfo,
  { namespaced }: ResourceDefinition,
): readonly string[] {
  if (name !== '' && (namespace !== '' || !namespaced)) return itemVerbs
  return namespaced && namespace === '' ? acrossNamespaces : collectionVerbs
}
