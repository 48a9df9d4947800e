import type { DefinedSchema } from '../definedSchema.ts'
import { metaName } from './names.ts'

export const rawExtension: DefinedSchema = {
  definition: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  description: 'An object of any kind.',
  type: 'object',
}

/** A line of a watch. */
export const watchEvent: DefinedSchema = {
  definition: metaName('WatchEvent'),
  description: 'Event of a watch.',
  type: 'object',
  required: ['type', 'object'],
  properties: {
    object: {
      ...rawExtension,
      description:
        'After ADDED and MODIFIED the object as it is, after DELETED as it last was, with BOOKMARK only its resourceVersion, with ERROR a Status.',
    },
    type: {
      type: 'string',
      description: '`ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK` or `ERROR`.',
    },
  },
}
