import { read } from '../cost/actualCosts.ts'
import { escapeKeyName } from '../types/patchTypes.ts'
import type { FunctionTable } from './row.ts'

/** Functions for the paths of JSON patches. Source: RFC 6901, section 3. */
export const jsonPatchFunctions: FunctionTable = {
  [escapeKeyName]: {
    forms: {
      'string string': (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1'),
    },
    cost: read,
  },
}
