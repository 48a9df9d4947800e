import type { Verb } from '../apiserver/meta/types.ts'
import type { DefinedSchema } from './definedSchema.ts'
import { deleteOptions, patch } from './meta/options.ts'
import { status } from './meta/status.ts'
import type { MediaTypes } from './mediaTypes.ts'
import { watchEvent } from './meta/watchEvent.ts'
import { withArticle } from './operationNames.ts'
import * as parameters from './parameters.ts'
import type { Body, Operation } from './route.ts'

export type OperationVerb = Exclude<Verb, 'watch'> | 'watchItem' | 'watchList'

/** The context of an operation's description. */
export interface OperationContext {
  kind: string
  /** `status of the specified Widget`, or `the specified Widget`. */
  specified: string
  object: DefinedSchema
  list: DefinedSchema
  /** The response of a completed deletion. */
  deleted: DefinedSchema
  patchTypes: readonly string[]
  types: MediaTypes
}

const watching = {
  parameters: parameters.listParameters,
  deprecated: true,
  responses: { 200: watchEvent },
}

type Maker = (
  context: OperationContext,
) => Pick<Operation, 'description' | 'responses'> &
  Partial<Pick<Operation, 'parameters' | 'body' | 'produces' | 'deprecated'>> & { action: string }

/** Makers of operations by verb. Source: reference 6.3, 6.6. */
export const operationMakers: Readonly<Record<OperationVerb, Maker>> = {
  list: ({ kind, list, types }) => ({
    action: 'list',
    description: `list or watch objects of kind ${kind}`,
    parameters: parameters.listParameters,
    produces: types.lists,
    responses: { 200: list },
  }),
  create: ({ kind, object, types }) => ({
    action: 'post',
    description: `create ${withArticle(kind)}`,
    parameters: parameters.writeParameters,
    body: bodyOf(object, types.objects),
    responses: { 200: object, 201: object, 202: object },
  }),
  deletecollection: ({ kind, types }) => ({
    action: 'deletecollection',
    description: `delete collection of ${kind}`,
    parameters: parameters.deleteCollectionParameters,
    body: { ...bodyOf(deleteOptions, types.objects), required: false },
    responses: { 200: status },
  }),
  get: ({ specified, object }) => ({
    action: 'get',
    description: `read ${specified}`,
    responses: { 200: object },
  }),
  update: ({ specified, object, types }) => ({
    action: 'put',
    description: `replace ${specified}`,
    parameters: parameters.writeParameters,
    body: bodyOf(object, types.objects),
    responses: { 200: object, 201: object },
  }),
  patch: ({ specified, object, patchTypes }) => ({
    action: 'patch',
    description: `partially update ${specified}`,
    parameters: parameters.patchParameters,
    body: bodyOf(patch, patchTypes),
    responses: { 200: object, 201: object },
  }),
  delete: ({ kind, deleted, types }) => ({
    action: 'delete',
    description: `delete ${withArticle(kind)}`,
    parameters: parameters.deleteParameters,
    body: { ...bodyOf(deleteOptions, types.objects), required: false },
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

function bodyOf(schema: DefinedSchema, mediaTypes: readonly string[]): Body {
  return { schema, mediaTypes, required: true }
}
