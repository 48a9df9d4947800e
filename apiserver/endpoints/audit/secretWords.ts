import { bodySchema, redactRequest } from '../../audit/redactBody.ts'
import { holdsSecrets, redacted } from '../../audit/redaction.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { Status } from '../../meta/status.ts'
import type { Exchange } from '../exchange.ts'

/** Codes of BadRequest, Invalid and unexpected errors. */
const repeatsBody = new Set([400, 422, 500])

/** Maximum comparisons, as strings times characters; beyond it the whole message is removed. */
const maxComparisons = 20_000_000

/**
 * Minimum length of strings replaced anywhere: shorter ones occur in other words by chance, and are only replaced
 * within quotes.
 */
const wordLength = 4

/** A Status without the secrets of the body that it repeats. Only kinds with secrets are examined. */
export function withoutSecrets(status: Status, { bodyKind, sentBody }: Exchange): Status {
  const { code = 0, message = '' } = status
  if (bodyKind === undefined || !repeatsBody.has(code)) return status
  const { schema } = bodyKind
  if (!holdsSecrets(bodySchema(schema))) return status
  if (sentBody === undefined) return { ...status, message: withoutBody(message) }
  const secrets = new Set<string>()
  collectHidden(sentBody, redactRequest(sentBody, schema), secrets)
  if (secrets.size === 0) return status
  const isTooLong = secrets.size * message.length > maxComparisons
  const hide = isTooLong ? () => redacted : hiding([...secrets])
  return { ...status, message: hide(message), ...detailsOf(status, hide) }
}

/** Removes quotations of the body, since the secrets of an unreadable body are unknown. */
function withoutBody(message: string): string {
  return message
    .replace(/(yaml: (?:line \d+: )?).*$/s, '$1the body cannot be read')
    .replace(/(json parse error: .*?) \([^]*\)$/, '$1')
}

function detailsOf({ details }: Status, hide: (text: string) => string): Pick<Status, 'details'> {
  if (details === undefined) return {}
  const causes = details.causes?.map((cause) => ({
    ...cause,
    ...(cause.message === undefined ? {} : { message: hide(cause.message) }),
  }))
  return { details: { ...details, ...(causes === undefined ? {} : { causes }) } }
}

/** Collects the strings of `value` that are redacted in its copy. */
function collectHidden(value: unknown, shown: unknown, secrets: Set<string>): void {
  if (typeof value === 'string') {
    if (value !== '' && shown !== value) secrets.add(value)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const copy = isObject(shown) || Array.isArray(shown) ? new Map(Object.entries(shown)) : undefined
  for (const [name, member] of Object.entries(value))
    collectHidden(member, copy?.get(name), secrets)
}

/** Replaces the longest secrets first, since a shorter one may be part of a longer one. */
function hiding(secrets: string[]): (text: string) => string {
  const forms = secrets
    .sort((one, other) => other.length - one.length)
    .flatMap((secret) => [
      ...new Set([secret, inner(goQuote(secret)), inner(JSON.stringify(secret))]),
    ])
  return (text) =>
    forms.reduce(
      (left, form) =>
        form.length < wordLength
          ? left.replaceAll(`"${form}"`, `"${redacted}"`)
          : left.replaceAll(form, redacted),
      text,
    )
}

function inner(quoted: string): string {
  return quoted.slice(1, -1)
}
