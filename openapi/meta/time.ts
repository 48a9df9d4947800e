import type { DefinedSchema } from '../definedSchema.ts'
import { metaName } from './names.ts'

export const time: DefinedSchema = {
  definition: metaName('Time'),
  description: 'RFC 3339 time in UTC, in whole seconds.',
  type: 'string',
  format: 'date-time',
}
