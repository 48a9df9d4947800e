import type { Limit } from '../../apis/kubernetes/core/quota/limitRules.ts'
import {
  quantityOf,
  quantityString,
  type ResourceQuantity,
  type ResourceQuantities,
} from '../resourceQuantities.ts'

/** Bound of a limit, and the object's quantity of the resource. */
interface Bounded {
  name: string
  /** The type of the limit. */
  per: string
  bound: ResourceQuantity
  request: ResourceQuantity | undefined
  limit: ResourceQuantity | undefined
}

/** Messages about quantities outside the bounds of a limit. */
export function problemsOf(
  limit: Limit,
  requests: ResourceQuantities,
  limits: ResourceQuantities,
): string[] {
  const each = (bounds: Readonly<Record<string, string>> = {}) =>
    Object.entries(bounds).map(([name, text]): Bounded => {
      const bound = quantityOf(text)
      const per = limit.type ?? ''
      return { name, per, bound, request: requests.get(name), limit: limits.get(name) }
    })
  const found = [
    ...each(limit.min).map(minProblem),
    ...each(limit.max).map(maxProblem),
    ...each(limit.maxLimitRequestRatio).map(ratioProblem),
  ]
  return found.filter((one) => one !== undefined)
}

/** Messages about requests above the maximum, for kinds without limits. */
export function maxRequestProblems(
  { type = '', max = {} }: Limit,
  requests: ResourceQuantities,
): string[] {
  return Object.entries(max).flatMap(([name, text]) => {
    const request = requests.get(name)
    const subject = `maximum ${name} usage per ${type} is ${quantityString(quantityOf(text))}`
    if (request === undefined) return [`${subject}.  No request is specified`]
    if (request.nanos <= quantityOf(text).nanos) return []
    return [`${subject}, but request is ${quantityString(request)}`]
  })
}

function minProblem({ name, per, bound, request, limit }: Bounded): string | undefined {
  const subject = `minimum ${name} usage per ${per} is ${quantityString(bound)}`
  if (request === undefined) return `${subject}.  No request is specified`
  if (request.nanos < bound.nanos) return `${subject}, but request is ${quantityString(request)}`
  if (limit === undefined || limit.nanos >= bound.nanos) return undefined
  return `${subject}, but limit is ${quantityString(limit)}`
}

function maxProblem({ name, per, bound, request, limit }: Bounded): string | undefined {
  const subject = `maximum ${name} usage per ${per} is ${quantityString(bound)}`
  if (limit === undefined) return `${subject}.  No limit is specified`
  if (limit.nanos > bound.nanos) return `${subject}, but limit is ${quantityString(limit)}`
  if (request === undefined || request.nanos <= bound.nanos) return undefined
  return `${subject}, but request is ${quantityString(request)}`
}

function ratioProblem({ name, per, bound, request, limit }: Bounded): string | undefined {
  const subject = `${name} max limit to request ratio per ${per} is ${quantityString(bound)}`
  if (request === undefined || request.nanos === 0n) {
    return `${subject}, but no request is specified or request is 0`
  }
  if (limit === undefined || limit.nanos === 0n) {
    return `${subject}, but no limit is specified or limit is 0`
  }
  if (limit.nanos * 1_000_000_000n <= bound.nanos * request.nanos) return undefined
  const ratio = Number(limit.nanos) / Number(request.nanos)
  return `${subject}, but provided ratio is ${ratio.toFixed(6)}`
}
