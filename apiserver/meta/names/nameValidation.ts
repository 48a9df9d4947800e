import { remembered } from '../collections/memory.ts'

/**
 * Validation of names, label keys and label values. Each check returns its messages; empty: valid.
 * Source: reference 3.10; RFC 1123, RFC 1035.
 */

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomain = `${label}(\\.${label})*`
const underscored = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const underscoredNames = `${underscored}(\\.${underscored})*`
const dns1035 = '[a-z]([-a-z0-9]*[a-z0-9])?'
const qualifiedName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const labelValue = `(${qualifiedName})?`

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`)
const subdomainPattern = whole(subdomain)
const wildcardPattern = whole(`\\*\\.${subdomain}`)
const underscoredPattern = whole(underscoredNames)
const labelPattern = whole(label)
const dns1035Pattern = whole(dns1035)
const qualifiedNamePattern = whole(qualifiedName)
const labelValuePattern = whole(labelValue)

function explain(message: string, pattern: string, ...examples: string[]): string {
  const list = examples.map((example) => `'${example}'`).join(',  or ')
  return `${message} (e.g. ${list}, regex used for validation is '${pattern}')`
}

const subdomainText = explain(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomain,
  'example.com',
)
const underscoredText = explain(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  underscoredNames,
  'example.com',
)
const labelText = explain(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  label,
  'my-name',
  '123-abc',
)
const dns1035Text = explain(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  dns1035,
  'my-name',
  'abc-123',
)
const namePartText = explain(
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  qualifiedName,
  'MyName',
  'my.name',
  '123-abc',
)
const labelKeyText =
  explain(
    "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    qualifiedName,
    'MyName',
    'my.name',
    '123-abc',
  ) + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
const labelValueText = explain(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelValue,
  'MyValue',
  'my_value',
  '12345',
)

const wildcardText = explain(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  `\\*\\.${subdomain}`,
  '*.example.com',
)

const tooLong = (maxBytes: number) => `must be no more than ${maxBytes} bytes`
/** Message for names that are too long, in bytes. */
const tooLongName = (maxBytes: number) => `must be no more than ${maxBytes} characters`

export function subdomainErrors(value: string): string[] {
  const errors = Buffer.byteLength(value) > 253 ? [tooLongName(253)] : []
  return subdomainPattern.test(value) ? errors : [...errors, subdomainText]
}

/** Validates a subdomain in the wording of declarative rules. Source: apimachinery, `validate.LongName`. */
export function longNameErrors(value: string): string[] {
  const errors = Buffer.byteLength(value) > 253 ? [tooLong(253)] : []
  return subdomainPattern.test(value) ? errors : [...errors, subdomainText]
}

/** Validates a subdomain after a star. */
export function wildcardErrors(value: string): string[] {
  const errors = Buffer.byteLength(value) > 253 ? [tooLongName(253)] : []
  return wildcardPattern.test(value) ? errors : [...errors, wildcardText]
}

/**
 * Validates a subdomain whose labels may contain underscores. Source: apimachinery, IsDNS1123SubdomainWithUnderscore.
 */
export function underscoredErrors(value: string): string[] {
  const errors = Buffer.byteLength(value) > 253 ? [tooLongName(253)] : []
  return underscoredPattern.test(value) ? errors : [...errors, underscoredText]
}

export function labelErrors(value: string): string[] {
  const errors = Buffer.byteLength(value) > 63 ? [tooLongName(63)] : []
  if (labelPattern.test(value)) return errors
  return [...errors, subdomainPattern.test(value) ? 'must not contain dots' : labelText]
}

export function dns1035Errors(value: string): string[] {
  const errors = Buffer.byteLength(value) > 63 ? [tooLongName(63)] : []
  return dns1035Pattern.test(value) ? errors : [...errors, dns1035Text]
}

export function pathSegmentErrors(value: string): string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`]
  return pathPrefixErrors(value)
}

/** Validates the beginning of a part of a path. */
export function pathPrefixErrors(value: string): string[] {
  return ['/', '%']
    .filter((char) => value.includes(char))
    .map((char) => `may not contain '${char}'`)
}

/** Validates a label key, a lower-case annotation key or a finalizer: `[prefix/]name`. */
export const labelKeyErrors: (key: string) => readonly string[] = remembered((key) => {
  const parts = key.split('/')
  if (parts.length > 2) return [labelKeyText]
  const name = parts.at(-1) ?? ''
  const prefix = parts.length === 2 ? parts[0] : undefined
  return [...(prefix === undefined ? [] : prefixErrors(prefix)), ...namePartErrors(name)]
})

function prefixErrors(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty']
  const errors = Buffer.byteLength(prefix) > 253 ? [`prefix part ${tooLong(253)}`] : []
  return subdomainPattern.test(prefix) ? errors : [...errors, `prefix part ${subdomainText}`]
}

function namePartErrors(name: string): string[] {
  const errors: string[] = []
  if (name === '') errors.push('name part must be non-empty')
  else if (Buffer.byteLength(name) > 63) errors.push(`name part ${tooLong(63)}`)
  return qualifiedNamePattern.test(name) ? errors : [...errors, namePartText]
}

export function labelValueErrors(value: string): string[] {
  const errors = Buffer.byteLength(value) > 63 ? [tooLong(63)] : []
  return labelValuePattern.test(value) ? errors : [...errors, labelValueText]
}
