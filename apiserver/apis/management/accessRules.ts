import { requiredField, type FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'

/**
 * Validates `spec.access`: every entry names a verb, and no verb is empty.
 * Source: specification, SharedSecret, "access".
 */
export function accessErrors(object: ApiObject): FieldError[] {
  // The schema was checked before.
  const spec = object['spec'] as { access?: { verbs: string[] }[] } | undefined
  return (spec?.access ?? []).flatMap((entry, index) => {
    const path = `spec.access[${index}].verbs`
    if (entry.verbs.length === 0) return [requiredField(path)]
    return entry.verbs.flatMap((verb, at) => (verb === '' ? [requiredField(`${path}[${at}]`)] : []))
  })
}
