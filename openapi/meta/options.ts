import type { Schema } from '../../apiserver/meta/schema.ts'
import type { DefinedSchema } from '../definedSchema.ts'
import { apiVersionDescription, kindDescription, metaName } from './names.ts'

const text = (description: string): Schema => ({ type: 'string', description })

export const preconditions: DefinedSchema = {
  definition: metaName('Preconditions'),
  description: 'Preconditions of the operation.',
  type: 'object',
  properties: {
    resourceVersion: text('The resourceVersion the object must have.'),
    uid: text('The uid the object must have.'),
  },
}

/** The body of a DELETE. */
export const deleteOptions: DefinedSchema = {
  definition: metaName('DeleteOptions'),
  description: 'Options of a deletion.',
  type: 'object',
  properties: {
    apiVersion: text(apiVersionDescription),
    dryRun: {
      type: 'array',
      description: '`All`: do everything except store the result.',
      items: { type: 'string' },
      'x-kubernetes-list-type': 'atomic',
    },
    gracePeriodSeconds: {
      type: 'integer',
      format: 'int64',
      description:
        'Grace period in seconds; 0: delete immediately. Absent: the default of the kind.',
    },
    kind: text(kindDescription),
    orphanDependents: {
      type: 'boolean',
      description: 'Older form of propagationPolicy: true is `Orphan`, false is `Background`.',
    },
    preconditions: {
      ...preconditions,
      description: 'Preconditions of the deletion.',
    },
    propagationPolicy: text(
      'Handling of dependent objects. `Background`: deleted afterwards. `Foreground`: deleted first. `Orphan`: kept.',
    ),
  },
}

/** The body of a PATCH: its form follows the media type. */
export const patch: DefinedSchema = {
  definition: metaName('Patch'),
  description: 'Change of an object, in the form given by its media type. Any JSON or YAML value.',
}
