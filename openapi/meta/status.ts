import type { Schema } from '../../apiserver/meta/schema.ts'
import type { DefinedSchema } from '../definedSchema.ts'
import { apiVersionDescription, kindDescription, metaName } from './names.ts'

const text = (description: string): Schema => ({ type: 'string', description })

/** The metadata of every list. */
export const listMeta: DefinedSchema = {
  definition: metaName('ListMeta'),
  description: 'What a list says of itself.',
  type: 'object',
  properties: {
    continue: text(
      'Set when there is more: sent back as the parameter `continue`, it asks for the next page. Opaque to clients.',
    ),
    remainingItemCount: {
      type: 'integer',
      format: 'int64',
      description: 'How many objects follow this page, where the server knows.',
    },
    resourceVersion: text('The version of the whole list: where a watch of it can begin.'),
    selfLink: text('No longer set by the server.'),
  },
}

export const statusCause: DefinedSchema = {
  definition: metaName('StatusCause'),
  description: 'One reason among several for a failure.',
  type: 'object',
  properties: {
    field: text('The field that is meant, as a path from the root: `spec.list[0].name`.'),
    message: text('The reason for a person to read.'),
    reason: text('The reason in one word, for a program.'),
  },
}

export const statusDetails: DefinedSchema = {
  definition: metaName('StatusDetails'),
  description: 'What a status is about. Which fields are set depends on its reason.',
  type: 'object',
  properties: {
    causes: {
      type: 'array',
      description: 'The single reasons, where there are several.',
      items: statusCause,
      'x-kubernetes-list-type': 'atomic',
    },
    group: text('The group of the resource.'),
    kind: text('The resource, or the kind where the request had one.'),
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
  description: 'How a request went, when the answer is not an object.',
  type: 'object',
  properties: {
    apiVersion: text(apiVersionDescription),
    code: { type: 'integer', format: 'int32', description: 'The HTTP status code.' },
    details: { ...statusDetails, description: 'What it is about.' },
    kind: text(kindDescription),
    message: text('The outcome for a person to read.'),
    metadata: { ...listMeta, description: 'The metadata of the answer.' },
    reason: text('The outcome in one word, for a program.'),
    status: text('`Success` or `Failure`.'),
  },
}
