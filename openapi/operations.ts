import { formOf } from '../apiserver/registry/objectForm.ts'
import type { Schema } from '../apiserver/meta/schema.ts'
import {
  patchTypesOf,
  type ResourceDefinition,
  type StreamedSubresource,
} from '../apiserver/registry/resource.ts'
import { customOperation } from './customOperation.ts'
import { kindDefinition, listDefinition } from './kinds.ts'
import { anyType, mediaTypes, type MediaTypes } from './mediaTypes.ts'
import { operationMakers, type OperationVerb } from './operationMakers.ts'
import { capitalized, idPrefix, tagOf } from './operationNames.ts'
import type { Method, Operation } from './route.ts'
import { shared } from './sharedDefinitions.ts'

/** Location of an operation: a resource or a subresource. */
export interface OperationPlace {
  resource: ResourceDefinition
  subresource?: string
  /** Kind of the bodies, if it differs from the resource's. */
  speaks?: ResourceDefinition
  /** Set if the subresource responds with bytes. */
  stream?: StreamedSubresource
  /** True for a collection across all namespaces. */
  allNamespaces?: boolean
  /** True for the path of a proxy that includes a path on the target. */
  hasPath?: boolean
}

export const methodOf: Readonly<Record<OperationVerb, Method>> = {
  list: 'get',
  create: 'post',
  deletecollection: 'delete',
  get: 'get',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
  watchItem: 'get',
  watchList: 'get',
}

/** Operation of a verb at a location. */
export function operationOf(verb: OperationVerb, place: OperationPlace): Operation {
  const { resource, subresource } = place
  const spoken = place.speaks ?? resource
  const { group, version, kind } = spoken
  if (place.stream !== undefined) {
    return place.stream.connects
      ? connectOperation(methodOf[verb], place)
      : logOperation(verb, place)
  }
  const made = operationMakers[verb]({
    kind,
    specified: `${subresource === undefined ? '' : `${subresource} of `}the specified ${resource.kind}`,
    object: kindDefinition(spoken),
    list: listDefinition(spoken),
    deleted:
      spoken.strategy.deletion?.returnsObject === true ? kindDefinition(spoken) : shared.status,
    patchTypes: patchTypesOf(spoken),
    types: typesOf(spoken),
  })
  const operation = {
    id: operationId(verb, place),
    tags: [tagOf(resource)],
    groupVersionKind: { group, version, kind },
    parameters: [],
    consumes: anyType,
    produces: typesOf(spoken).objects,
    ...made,
  }
  return formOf(resource).hasRoutes ? operation : customOperation(verb, operation, resource)
}

const text: Schema = { type: 'string' }

/** Operation that opens a connection, or passes a request on to another server. */
export function connectOperation(method: Method, place: OperationPlace): Operation {
  const { resource, subresource = '' } = place
  return {
    ...streamed(place),
    id: connectId(method, place),
    action: 'connect',
    description: `connect ${method.toUpperCase()} requests to ${subresource} of ${resource.kind}`,
    produces: anyType,
  }
}

function logOperation(verb: OperationVerb, place: OperationPlace): Operation {
  const { resource, subresource = '' } = place
  return {
    ...streamed(place),
    id: operationId(verb, place),
    action: 'get',
    description: `read ${subresource} of the specified ${resource.kind}`,
    produces: ['text/plain', ...typesOf(resource).objects],
  }
}

/** Parts of an operation that responds with bytes. */
function streamed({ resource, speaks: { group, version, kind } = resource }: OperationPlace) {
  return {
    tags: [tagOf(resource)],
    groupVersionKind: { group, version, kind },
    parameters: [],
    consumes: anyType,
    responses: { 200: text },
  }
}

/** Operation id such as `connectCoreV1GetNamespacedPodExec` or `connectCoreV1GetNodeProxyWithPath`. */
function connectId(
  method: Method,
  { resource, subresource = '', hasPath = false }: OperationPlace,
): string {
  const scope = resource.namespaced ? 'Namespaced' : ''
  const place = scope + resource.kind + capitalized(subresource)
  return `connect${idPrefix(resource)}${capitalized(method)}${place}${hasPath ? 'WithPath' : ''}`
}

/** Media types of a kind; kinds with Go types are also served as protobuf. */
function typesOf({ schema }: ResourceDefinition): MediaTypes {
  return mediaTypes(schema.definition?.startsWith('io.k8s.') === true)
}

const idVerbs: Readonly<Record<OperationVerb, string>> = {
  list: 'list',
  create: 'create',
  deletecollection: 'delete',
  get: 'read',
  update: 'replace',
  patch: 'patch',
  delete: 'delete',
  watchItem: 'watch',
  watchList: 'watch',
}

/** Operation id such as `listExampleDevV1NamespacedWidget` or `watchExampleDevV1WidgetListForAllNamespaces`. */
function operationId(verb: OperationVerb, place: OperationPlace): string {
  const { resource, subresource = '', allNamespaces = false } = place
  return [
    idVerbs[verb],
    idPrefix(resource),
    verb === 'deletecollection' ? 'Collection' : '',
    resource.namespaced && !allNamespaces ? 'Namespaced' : '',
    resource.kind,
    capitalized(subresource),
    verb === 'watchList' ? 'List' : '',
    allNamespaces ? 'ForAllNamespaces' : '',
  ].join('')
}
