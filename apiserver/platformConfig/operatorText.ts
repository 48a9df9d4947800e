import type { FieldError } from '../meta/fieldErrors.ts'

/**
 * Validation errors as a message for the operator. For a document that is not YAML, it contains
 * only the line number, since the parser may quote a secret.
 */
export function operatorText(errors: readonly FieldError[]): string {
  const texts = errors.map(({ field, message }) =>
    shortPath(field) === field
      ? `is not readable as YAML (${/line \d+/.exec(message)?.[0] ?? 'all of it'})`
      : `${shortPath(field)}: ${message}`,
  )
  return `is not valid: ${texts.join('; ')}`
}

/** The path without the prefix that exists only in the API. */
export function shortPath(field: string): string {
  return field.replace(/^spec\.raw\./, '')
}
