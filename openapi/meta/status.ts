import type { Schema } from '../../apiserver/meta/schema.ts'
import type { DefinedSchema } from '../definedSchema.ts'
import { apiVersionDescription, kindDescription, metaName } from './names.ts'

const text = (description: string): Schema => ({ type: 'string', description })

/** The metadata of every list. */
export const listMeta: DefinedSchema = {
  definition: metaName('ListMeta'),
  description: 'Metadata of a list.',
  type: 'object',
  properties: {
    continue: text(
      'Opaque token, set if there are more objects: sent as the parameter `continue`, it requests the next page.',
    ),
    remainingItemCount: {
      type: 'integer',
      format: 'int64',
      description: 'Number of remaining objects after this page, if known.',
    },
    resourceVersion: text('Version of the whole list, from which a watch can start.'),
    selfLink: text('No longer set by the server.'),
  },
}

export const statusCause: DefinedSchema = {
  definition: metaName('StatusCause'),
  description: 'One reason among several for a failure.',
  type: 'object',
  properties: {
    field: text('Path of the field from the root: `spec.list[0].name`.'),
    message: text('Human-readable reason.'),
    reason: text('Machine-readable reason.'),
  },
}

export const statusDetails: DefinedSchema = {
  definition: metaName('StatusDetails'),
  description: 'Details of a status; the set fields depend on its reason.',
  type: 'object',
  properties: {
    causes: {
      type: 'array',
      description: 'Single reasons, if there are several.',
      items: statusCause,
      'x-kubernetes-list-type': 'atomic',
    },
    group: text('The group of the resource.'),
    kind: text('The resource, or the kind if the request had one.'),
    name: text('The name of the object.'),
    retryAfterSeconds: {
      type: 'integer',
      format: 'int32',
      description: 'The seconds to wait before trying again.',
    },
    uid: text('The uid of the object.'),
  },
}

/** The answer to a request that gives no object. */
export const status: DefinedSchema = {
  definition: metaName('Status'),
  description: 'Result of a request that returns no object.',
  type: 'object',
  properties: {
    apiVersion: text(apiVersionDescription),
    code: { type: 'integer', format: 'int32', description: 'The HTTP status code.' },
    details: { ...statusDetails, description: 'Object of the request.' },
    kind: text(kindDescription),
    message: text('Human-readable result.'),
    metadata: { ...listMeta, description: 'The metadata of the response.' },
    reason: text('Machine-readable result.'),
    status: text('`Success` or `Failure`.'),
  },
}
