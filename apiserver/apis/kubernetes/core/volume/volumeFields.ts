import {
  forbiddenField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import { valueAt } from '../../../columns.ts'

/** Short forms of access modes, shared by volumes and claims. */

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}
const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

/** Distinct modes, in the order and the short form that columns use. */
export function accessModesText(given: readonly string[] = []): string {
  return Object.entries(shortModes)
    .filter(([mode]) => given.includes(mode))
    .map(([, short]) => short)
    .join(',')
}

export function accessModeErrors(path: string, given: readonly string[] = []): FieldError[] {
  if (given.length === 0) return [requiredField(path)]
  return given
    .filter((mode) => !modes.includes(mode))
    .map((mode) => notSupportedField(path, mode, modes))
}

/** Errors if an exclusive access mode is combined with others. */
export function onePodErrors(path: string, given: readonly string[] = []): FieldError[] {
  const hasOther = given.some((mode) => modes.includes(mode) && mode !== 'ReadWriteOncePod')
  if (!hasOther || !given.includes('ReadWriteOncePod')) return []
  return [forbiddenField(path, 'may not use ReadWriteOncePod with other access modes')]
}

export function unsetText(object: ApiObject): string {
  const value = valueAt(object, 'spec.volumeAttributesClassName')
  return typeof value === 'string' && value !== '' ? value : '<unset>'
}
