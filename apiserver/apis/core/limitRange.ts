import { duplicateField, invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import { compareQuantities, parseQuantity } from '../../meta/quantity.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'

type Amounts = Record<string, string>

interface Limit {
  type: string
  max?: Amounts
  min?: Amounts
  default?: Amounts
  defaultRequest?: Amounts
}

/** Stored only: nothing is bounded. Source: Kubernetes API reference, LimitRange v1. */
export function limitRangeResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'limitranges',
    kind: 'LimitRange',
    namespaced: true,
    shortNames: ['limits'],
    description: 'LimitRange bounds what each object of a namespace may use.',
    strategy: {
      generation: 'none',
      setDefaults: (object) => {
        for (const limit of limitsOf(object)) setLimitDefaults(limit)
      },
      validate: limitErrors,
      validateUpdate: limitErrors,
    },
  })
}

function limitsOf(object: ApiObject): Limit[] {
  // The schema says what the limits are.
  return (object['spec'] as { limits?: Limit[] } | undefined)?.limits ?? []
}

/** What is not said for containers follows from what is: the default limit from the maximum, the default request from
 *  the default limit, or else from the minimum. */
function setLimitDefaults(limit: Limit): void {
  if (limit.type !== 'Container') return
  limit.default = { ...limit.max, ...limit.default }
  limit.defaultRequest = { ...limit.min, ...limit.default, ...limit.defaultRequest }
}

function limitErrors(object: ApiObject): FieldError[] {
  const limits = limitsOf(object)
  return limits.flatMap(({ type, min = {}, max = {} }, index) => {
    const path = `spec.limits[${index}]`
    const isRepeated = limits.findIndex((other) => other.type === type) < index
    const wrong = Object.entries(min).filter(([name, least]) => isMore(least, max[name]))
    return [
      ...(isRepeated ? [duplicateField(`${path}.type`, type)] : []),
      ...wrong.map(([name, least]) => {
        const detail = `min value ${least} is greater than max value ${max[name] ?? ''}`
        return invalidField(`${path}.min[${name}]`, least, detail)
      }),
    ]
  })
}

function isMore(least: string, most: string | undefined): boolean {
  const [low, high] = [parseQuantity(least), parseQuantity(most ?? '')]
  return low !== undefined && high !== undefined && compareQuantities(low, high) > 0
}
