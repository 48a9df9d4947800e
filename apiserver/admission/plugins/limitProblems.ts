import type { LimitRangeItem } from '../../apis/kubernetes/shapes/coreV1.ts'
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
  limit: LimitRangeItem,
  requests: ResourceQuantities,
  limits: ResourceQuantities,
): string[] {
  const { min, max, ratio } = boundsOf(limit)
  const of = ({ name, bound }: Bound): Bounded => ({
    ...{ name, bound, per: limit.type ?? '' },
    ...{ request: requests.get(name), limit: limits.get(name) },
  })
  const found = [
    ...min.map((one) => minProblem(of(one))),
    ...max.map((one) => maxProblem(of(one))),
    ...ratio.map((one) => ratioProblem(of(one))),
  ]
  return found.filter((one) => one !== undefined)
}

interface Bound {
  name: string
  bound: ResourceQuantity
}

interface Bounds {
  min: readonly Bound[]
  max: readonly Bound[]
  ratio: readonly Bound[]
}

// A limit is compared with each container of each pod.
const knownBounds = new WeakMap<LimitRangeItem, Bounds>()

function boundsOf(limit: LimitRangeItem): Bounds {
  let bounds = knownBounds.get(limit)
  if (bounds === undefined) {
    const read = (texts: Readonly<Record<string, string>> = {}) =>
      Object.entries(texts).map(([name, text]) => ({ name, bound: quantityOf(text) }))
    bounds = {
      min: read(limit.min),
      max: read(limit.max),
      ratio: read(limit.maxLimitRequestRatio),
    }
    knownBounds.set(limit, bounds)
  }
  return bounds
}

/** Messages about requests above the maximum, for kinds without limits. */
export function maxRequestProblems(
  { type = '', max = {} }: LimitRangeItem,
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
  const subject = () => `minimum ${name} usage per ${per} is ${quantityString(bound)}`
  if (request === undefined) return `${subject()}.  No request is specified`
  if (request.nanos < bound.nanos) return `${subject()}, but request is ${quantityString(request)}`
  if (limit === undefined || limit.nanos >= bound.nanos) return undefined
  return `${subject()}, but limit is ${quantityString(limit)}`
}

function maxProblem({ name, per, bound, request, limit }: Bounded): string | undefined {
  const subject = () => `maximum ${name} usage per ${per} is ${quantityString(bound)}`
  if (limit === undefined) return `${subject()}.  No limit is specified`
  if (limit.nanos > bound.nanos) return `${subject()}, but limit is ${quantityString(limit)}`
  if (request === undefined || request.nanos <= bound.nanos) return undefined
  return `${subject()}, but request is ${quantityString(request)}`
}

function ratioProblem({ name, per, bound, request, limit }: Bounded): string | undefined {
  const subject = () => `${name} max limit to request ratio per ${per} is ${quantityString(bound)}`
  if (request === undefined || request.nanos === 0n) {
    return `${subject()}, but no request is specified or request is 0`
  }
  if (limit === undefined || limit.nanos === 0n) {
    return `${subject()}, but no limit is specified or limit is 0`
  }
  if (limit.nanos * 1_000_000_000n <= bound.nanos * request.nanos) return undefined
  const ratio = Number(limit.nanos) / Number(request.nanos)
  return `${subject()}, but provided ratio is ${ratio.toFixed(6)}`
}
