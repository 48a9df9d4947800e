import {
  aggregateMessage,
  invalidField,
  notSupportedField,
  type FieldError,
} from '../../meta/fieldErrors.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { eventLimitTypes, type EventLimit } from '../../runtime/options/eventLimits.ts'

const version = 'eventratelimit.admission.k8s.io/v1alpha1'
const defaultCacheSize = 4_096

/**
 * Limits of a Configuration of EventRateLimit; a missing configuration has none, which is refused.
 * @throws Error in the wording of the real plugin.
 */
export function eventLimitsOf(configuration: unknown): EventLimit[] {
  const document = configuration ?? { apiVersion: version, kind: 'Configuration' }
  const { apiVersion = '', kind = '', limits = [] } = isObject(document) ? document : {}
  if (apiVersion !== version || kind !== 'Configuration') {
    const found = `${goQuote(String(kind))} is registered for version ${goQuote(String(apiVersion))}`
    throw new Error(`no kind ${found}`)
  }
  if (!Array.isArray(limits)) throw new Error('limits: must be a list')
  const given = limits.map((limit): Given => (isObject(limit) ? limit : {}))
  given.forEach(checkTypes)
  const errors = given.length === 0 ? [emptyError] : given.flatMap(limitErrors)
  if (errors.length > 0) throw new Error(aggregateMessage(errors))
  return given.map(({ type, qps, burst, cacheSize }) => ({
    type: type as EventLimit['type'], // checked by the errors above
    qps: Number(qps),
    burst: Number(burst),
    cacheSize:
      type === 'Server' || numberOf(cacheSize) === 0 ? defaultCacheSize : Number(cacheSize),
  }))
}

type Given = Record<string, unknown>

/** Checks the types of a limit. @throws Error for a field of another type, in Go's wording. */
function checkTypes(limit: Given): void {
  for (const [field, type] of Object.entries(fieldTypes)) {
    const value = limit[field]
    const found =
      typeof value === 'boolean' ? 'bool' : Array.isArray(value) ? 'array' : typeof value
    const isFitting = type === 'string' ? found === 'string' : isInt32(value)
    if (value === undefined || value === null || isFitting) continue
    const shown = found === 'number' ? `number ${Number(value)}` : found
    throw new Error(
      `json: cannot unmarshal ${shown} into Go struct field Limit.limits.${field} of type ${type}`,
    )
  }
}

const fieldTypes = { type: 'string', qps: 'int32', burst: 'int32', cacheSize: 'int32' }

function isInt32(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) === (Number(value) | 0)
}

const emptyError = invalidField('limits', null, 'must not be empty')

function limitErrors(given: Given, index: number): FieldError[] {
  const at = `limits[${index}]`
  const { type } = given
  const isKnown = eventLimitTypes.some((one) => one === type)
  const cacheSize = type === 'Server' ? 0 : numberOf(given['cacheSize'])
  return [
    ...(isKnown ? [] : [notSupportedField(`${at}.type`, type ?? '', shownTypes)]),
    ...['burst', 'qps'].flatMap((field) => {
      const value = numberOf(given[field])
      return value > 0 ? [] : [invalidField(`${at}.${field}`, value, 'must be positive')]
    }),
    ...(cacheSize < 0 ? [invalidField(`${at}.cacheSize`, cacheSize, 'must not be negative')] : []),
  ]
}

const shownTypes = ['Server', 'Namespace', 'User', 'SourceAndObject']

function numberOf(value: unknown): number {
  return Number(value ?? 0)
}
