import type { DefinedSchema } from '../definedSchema.ts'
import { metaName } from './names.ts'

export const time: DefinedSchema = {
  definition: metaName('Time'),
  description: 'A moment as RFC 3339 writes it, in UTC and whole seconds.',
  type: 'string',
  format: 'date-time',
}
