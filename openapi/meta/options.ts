import type { Schema } from '../../apiserver/meta/schema.ts'
import type { DefinedSchema } from '../definedSchema.ts'
import { apiVersionDescription, kindDescription, metaName } from './names.ts'

const text = (description: string): Schema => ({ type: 'string', description })

export const preconditions: DefinedSchema = {
  definition: metaName('Preconditions'),
  description: 'What must be true of the object for the operation to happen.',
  type: 'object',
  properties: {
    resourceVersion: text('The resourceVersion the object must have.'),
    uid: text('The uid the object must have.'),
  },
}

/** The body of a DELETE. */
export const deleteOptions: DefinedSchema = {
  definition: metaName('DeleteOptions'),
  description: 'How to delete.',
  type: 'object',
  properties: {
    apiVersion: text(apiVersionDescription),
    dryRun: {
      type: 'array',
      description: '`All`: do everything but store the outcome.',
      items: { type: 'string' },
      'x-kubernetes-list-type': 'atomic',
    },
    gracePeriodSeconds: {
      type: 'integer',
      format: 'int64',
      description:
        'The seconds the object gets to end by itself; 0 is at once. Without it the kind decides.',
    },
    kind: text(kindDescription),
    orphanDependents: {
      type: 'boolean',
      description: 'Older form of propagationPolicy: true is `Orphan`, false is `Background`.',
    },
    preconditions: {
      ...preconditions,
      description: 'What must be true for the deletion to happen.',
    },
    propagationPolicy: text(
      'What becomes of the objects this one owns. `Background`: deleted afterwards. `Foreground`: deleted before it. `Orphan`: kept.',
    ),
  },
}

/** The body of a PATCH: its form follows the media type. */
export const patch: DefinedSchema = {
  definition: metaName('Patch'),
  description:
    'A change to an object, in the form its media type names. Any JSON or YAML value, as far as this schema can say.',
}
