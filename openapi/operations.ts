import { status } from './meta/status.ts'
import { patchTypesOf, type ResourceDefinition } from '../apiserver/registry/resource.ts'
import { kindSchema, listSchema } from './kinds.ts'
import { mediaTypes, type MediaTypes } from './mediaTypes.ts'
import { operationMakers, type OperationVerb } from './operationMakers.ts'
import { capitalized, idPrefix, tagOf } from './operationNames.ts'
import type { Method, Operation } from './route.ts'

/** The place of an operation: a resource, or a subresource of it. */
export interface OperationPlace {
  resource: ResourceDefinition
  subresource?: string
  /** The kind of its bodies, if the subresource has one of its own. */
  speaks?: ResourceDefinition
  /** A collection over every namespace. */
  allNamespaces?: boolean
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

/** The operation of a verb at its place. */
export function operationOf(verb: OperationVerb, place: OperationPlace): Operation {
  const { resource, subresource } = place
  const spoken = place.speaks ?? resource
  const { group, version, kind } = spoken
  const made = operationMakers[verb]({
    kind,
    specified: `${subresource === undefined ? '' : `${subresource} of `}the specified ${resource.kind}`,
    object: kindSchema(spoken),
    list: listSchema(spoken),
    deleted: spoken.strategy.returnsDeletedObject === true ? kindSchema(spoken) : status,
    patchTypes: patchTypesOf(spoken),
    types: typesOf(spoken),
  })
  return {
    id: operationId(verb, place),
    tags: [tagOf(resource)],
    groupVersionKind: { group, version, kind },
    parameters: [],
    produces: typesOf(spoken).objects,
    ...made,
  }
}

/** Media types of a kind; kinds with Go types are served as protobuf too. */
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

/** `listExampleDevV1NamespacedWidget`, `watchExampleDevV1WidgetListForAllNamespaces`. */
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
