import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../meta/fieldErrors.ts'
import { isObject } from '../meta/isObject.ts'

/** The errors that an update brought: what is as it was before was accepted once, and a schema that became stricter since
 *  does not hold up other changes. Source: Kubernetes documentation, "Validation ratcheting". */
export function ratcheted(
  errors: readonly FieldError[],
  next: unknown,
  old: unknown,
): FieldError[] {
  return errors.filter(({ reason, field }) => {
    const path = steps(field)
    // What is missing is missing in the object around it.
    return !isUnchanged(next, old, reason === 'FieldValueRequired' ? path.slice(0, -1) : path)
  })
}

/** `spec.list[0].name` in its parts. */
function steps(field: string): (string | number)[] {
  return field.split('.').flatMap((part) => {
    const [name = '', ...indexes] = part.split('[')
    return [name, ...indexes.map((index) => Number.parseInt(index, 10))]
  })
}

/** Items of a list have no counterpart: only the whole list may be the same. A path that cannot be followed is taken as
 *  changed. */
function isUnchanged(
  next: unknown,
  old: unknown,
  [step, ...rest]: readonly (string | number)[],
): boolean {
  if (step === undefined || Array.isArray(next))
    return next !== undefined && isDeepStrictEqual(next, old)
  if (!isObject(next) || !isObject(old) || !Object.hasOwn(next, step)) return false
  return isUnchanged(next[step], old[step], rest)
}
