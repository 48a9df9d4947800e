import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { labelKeyErrors } from '../../../../meta/names/nameValidation.ts'
import { repeats } from '../../../../meta/collections/repeats.ts'
import { parseQuantity } from '../../../../meta/quantity.ts'
import type { LimitRangeItem } from '../../shapes/coreV1.ts'
import { compareQuantityStrings } from '../quantityRules.ts'
import {
  containerResourceNameErrors,
  isHugePages,
  resourceNameErrors,
} from '../container/resourceRules.ts'

const standardTypes = ['Pod', 'Container', 'PersistentVolumeClaim']

/** Errors for a limit. Source: Kubernetes API reference, LimitRange v1; observed answers. */
export function limitErrors(limits: readonly LimitRangeItem[]): FieldError[] {
  const isRepeat = repeats(limits.map(({ type = '' }) => type))
  return limits.flatMap((limit, index) => {
    const { type = '' } = limit
    const path = `spec.limits[${index}]`
    return [
      ...typeErrors(`${path}.type`, type),
      ...(isRepeat[index] === true ? [duplicateField(`${path}.type`, type)] : []),
      ...nameErrors(path, limit),
      ...orderErrors(path, limit),
    ]
  })
}

function typeErrors(path: string, type: string): FieldError[] {
  const errors = labelKeyErrors(type).map((text) => invalidField(path, type, text))
  if (errors.length > 0 || type.includes('/') || standardTypes.includes(type)) return errors
  return [invalidField(path, type, 'must be a standard limit type or fully qualified')]
}

const kinds = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const

function nameErrors(path: string, limit: LimitRangeItem): FieldError[] {
  const isPod = limit.type === 'Pod'
  const isOfContainers = isPod || limit.type === 'Container'
  const rule = isOfContainers ? containerResourceNameErrors : resourceNameErrors
  const isSized = limit.max?.['storage'] !== undefined || limit.min?.['storage'] !== undefined
  const unsized = 'either minimum or maximum storage value is required, but neither was provided'
  return kinds.flatMap((kind) => {
    const names = Object.keys(limit[kind] ?? {})
    const isUsual = kind === 'default' || kind === 'defaultRequest'
    if (isPod && isUsual) {
      const detail = "may not be specified when `type` is 'Pod'"
      return names.length === 0 ? [] : [forbiddenField(`${path}.${kind}`, detail)]
    }
    const isUnsized =
      kind === 'maxLimitRequestRatio' && limit.type === 'PersistentVolumeClaim' && !isSized
    return [
      ...(isUnsized ? [requiredField(`${path}.limits`, unsized)] : []),
      ...names.flatMap((name) => rule(`${path}.${kind}[${name}]`, name)),
    ]
  })
}

type Kind = (typeof kinds)[number]

interface Order {
  less: Kind
  more: Kind
  /** Limits, with paths and quantities for errors. */
  at: Kind
  shown: Kind
  words: readonly [string, string]
}

const orders: readonly Order[] = [
  { less: 'min', more: 'max', at: 'min', shown: 'min', words: ['min value', 'max value'] },
  {
    ...{ less: 'min', more: 'defaultRequest', at: 'defaultRequest', shown: 'defaultRequest' },
    words: ['min value', 'default request value'],
  },
  {
    ...{ less: 'defaultRequest', more: 'max', at: 'defaultRequest', shown: 'defaultRequest' },
    words: ['default request value', 'max value'],
  },
  {
    ...{ less: 'defaultRequest', more: 'default', at: 'defaultRequest', shown: 'defaultRequest' },
    words: ['default request value', 'default limit value'],
  },
  {
    ...{ less: 'min', more: 'default', at: 'default', shown: 'min' },
    words: ['min value', 'default value'],
  },
  {
    ...{ less: 'default', more: 'max', at: 'default', shown: 'max' },
    words: ['default value', 'max value'],
  },
]

/** Errors for the order of limits; pod limits have no defaults to compare. */
function orderErrors(path: string, given: LimitRangeItem): FieldError[] {
  const { default: _default, defaultRequest: _request, ...bounds } = given
  const limit: LimitRangeItem = given.type === 'Pod' ? bounds : given
  const names = new Set(kinds.flatMap((kind) => Object.keys(limit[kind] ?? {})))
  return [...names].flatMap((name) => {
    const ratio = limit.maxLimitRequestRatio?.[name]
    const at = `${path}.maxLimitRequestRatio[${name}]`
    return [
      ...orders.flatMap((order) => oneOrderErrors(path, limit, { name, order })),
      ...(ratio !== undefined && compareQuantityStrings(ratio, '1') < 0
        ? [invalidField(at, ratio, `ratio ${ratio} is less than 1`)]
        : []),
      ...(ratio === undefined
        ? []
        : ratioErrors(at, ratio, [limit.max?.[name], limit.min?.[name]])),
      ...overcommitErrors(path, limit, name),
    ]
  })
}

type Bound = string | undefined

/**
 * Errors for a ratio larger than that of maximum to minimum. The quotient is formatted as in Go.
 */
function ratioErrors(path: string, ratio: string, [max, min]: readonly [Bound, Bound]) {
  if (max === undefined || min === undefined) return []
  const most = quantityOf(max) / quantityOf(min)
  if (!(quantityOf(ratio) > most)) return []
  const shown = Number.isFinite(most) ? most.toFixed(6) : '-Inf'
  return [invalidField(path, ratio, `ratio ${ratio} is greater than max/min = ${shown}`)]
}

function quantityOf(text: string): number {
  const { digits, exponent } = parseQuantity(text) ?? { digits: 0n, exponent: 0 }
  return Math.ceil(Number(`${digits}e${exponent + 3}`)) / 1_000
}

/**
 * Errors for resources that cannot be overcommitted: default limit and default request must be
 * equal.
 */
function overcommitErrors(path: string, limit: LimitRangeItem, name: string): FieldError[] {
  const [request, most] = [limit.defaultRequest?.[name], limit.default?.[name]]
  if (request === undefined || most === undefined || isOvercommitted(name)) return []
  if (compareQuantityStrings(request, most) === 0) return []
  const detail = `default value ${most} must equal to defaultRequest value ${request} in ${name}`
  return [invalidField(`${path}.defaultRequest[${name}]`, request, detail)]
}

function isOvercommitted(name: string): boolean {
  const isNative = !name.includes('/') || name.includes('kubernetes.io/')
  return isNative && !isHugePages(name)
}

function oneOrderErrors(
  path: string,
  limit: LimitRangeItem,
  { name, order }: { name: string; order: Order },
): FieldError[] {
  const [less, more] = [limit[order.less]?.[name], limit[order.more]?.[name]]
  if (less === undefined || more === undefined || compareQuantityStrings(less, more) <= 0) return []
  const [lessWords, moreWords] = order.words
  const detail = `${lessWords} ${less} is greater than ${moreWords} ${more}`
  return [invalidField(`${path}.${order.at}[${name}]`, limit[order.shown]?.[name], detail)]
}
