import type { Verb } from '../apiserver/meta/types.ts'
import type { DefinedSchema } from './definedSchema.ts'
import type { MediaTypes } from './mediaTypes.ts'
import { withArticle } from './operationNames.ts'
import * as parameters from './parameters.ts'
import type { Body, Operation } from './route.ts'
import { shared } from './sharedDefinitions.ts'

export type OperationVerb = Exclude<Verb, 'watch'> | 'watchItem' | 'watchList'

/** Context for the description of an operation. */
export interface OperationContext {
  kind: string
  /** Object of a description: `status of the specified Widget`, or `the specified Widget`. */
  specified: string
  object: DefinedSchema
  list: DefinedSchema
  /** Response of a completed deletion. */
  deleted: DefinedSchema
  patchTypes: readonly string[]
  types: MediaTypes
}

const watching = {
  parameters: parameters.listParameters,
  responses: { 200: shared.watchEvent },
}

type Maker = (
  context: OperationContext,
) => Pick<Operation, 'description' | 'responses'> &
  Partial<Pick<Operation, 'parameters' | 'body' | 'consumes' | 'produces'>> & { action: string }

/** Functions that create operations, by verb. Source: reference 6.3, 6.6. */
export const operationMakers: Readonly<Record<OperationVerb, Maker>> = {
  list: ({ kind, list, types }) => ({
    action: 'list',
    description: `list or watch objects of kind ${kind}`,
    parameters: parameters.listParameters,
    produces: types.lists,
    responses: { 200: list },
  }),
  create: ({ kind, object }) => ({
    action: 'post',
    description: `create ${withArticle(kind)}`,
    parameters: parameters.writeParameters,
    body: bodyOf(object),
    responses: { 200: object, 201: object, 202: object },
  }),
  deletecollection: ({ kind }) => ({
    action: 'deletecollection',
    description: `delete collection of ${kind}`,
    parameters: parameters.deleteCollectionParameters,
    body: { ...bodyOf(shared.deleteOptions), required: false },
    responses: { 200: shared.status },
  }),
  get: ({ specified, object }) => ({
    action: 'get',
    description: `read ${specified}`,
    responses: { 200: object },
  }),
  update: ({ specified, object }) => ({
    action: 'put',
    description: `replace ${specified}`,
    parameters: parameters.writeParameters,
    body: bodyOf(object),
    responses: { 200: object, 201: object },
  }),
  patch: ({ specified, object, patchTypes }) => ({
    action: 'patch',
    description: `partially update ${specified}`,
    parameters: parameters.patchParameters,
    body: bodyOf(shared.patch),
    consumes: patchTypes,
    responses: { 200: object, 201: object },
  }),
  delete: ({ kind, deleted }) => ({
    action: 'delete',
    description: `delete ${withArticle(kind)}`,
    parameters: parameters.deleteParameters,
    body: { ...bodyOf(shared.deleteOptions), required: false },
    responses: { 200: deleted, 202: deleted },
  }),
  watchItem: ({ kind, types }) => ({
    action: 'watch',
    description: `watch changes to one ${kind}. Deprecated: list with watch=true and fieldSelector=metadata.name=<name>`,
    produces: types.watches,
    ...watching,
  }),
  watchList: ({ kind, types }) => ({
    action: 'watchlist',
    description: `watch changes to objects of kind ${kind}. Deprecated: list with watch=true`,
    produces: types.watches,
    ...watching,
  }),
}

function bodyOf(schema: DefinedSchema): Body {
  return { schema, required: true }
}
