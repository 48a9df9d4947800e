import type { FieldError } from '../meta/fieldErrors.ts'

/** What is wrong, for the operator. Of a document that is no YAML the line alone, since the parser may quote a secret. */
export function operatorText(errors: readonly FieldError[]): string {
  const texts = errors.map(({ field, message }) =>
    shortPath(field) === field
      ? `is not readable as YAML (${/line \d+/.exec(message)?.[0] ?? 'all of it'})`
      : `${shortPath(field)}: ${message}`,
  )
  return `is not valid: ${texts.join('; ')}`
}

/** Without the part that only the API has. */
export function shortPath(field: string): string {
  return field.replace(/^spec\.raw\./, '')
}
