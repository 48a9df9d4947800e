import type { Limit } from '../../apis/kubernetes/core/quota/limitRules.ts'
import { amountOf, amountText, type Amount, type Amounts } from '../amounts.ts'

/** Bound of a limit, and the object's amount of the resource. */
interface Bounded {
  name: string
  /** The type of the limit. */
  per: string
  bound: Amount
  request: Amount | undefined
  limit: Amount | undefined
}

/** Messages about amounts outside the bounds of a limit. */
export function problemsOf(limit: Limit, requests: Amounts, limits: Amounts): string[] {
  const each = (bounds: Readonly<Record<string, string>> = {}) =>
    Object.entries(bounds).map(([name, text]): Bounded => {
      const bound = amountOf(text)
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

/** Messages about requests above the maximum, for kinds that have no limits. */
export function maxRequestProblems({ type = '', max = {} }: Limit, requests: Amounts): string[] {
  return Object.entries(max).flatMap(([name, text]) => {
    const request = requests.get(name)
    const subject = `maximum ${name} usage per ${type} is ${amountText(amountOf(text))}`
    if (request === undefined) return [`${subject}.  No request is specified`]
    if (request.nanos <= amountOf(text).nanos) return []
    return [`${subject}, but request is ${amountText(request)}`]
  })
}

function minProblem({ name, per, bound, request, limit }: Bounded): string | undefined {
  const subject = `minimum ${name} usage per ${per} is ${amountText(bound)}`
  if (request === undefined) return `${subject}.  No request is specified`
  if (request.nanos < bound.nanos) return `${subject}, but request is ${amountText(request)}`
  if (limit === undefined || limit.nanos >= bound.nanos) return undefined
  return `${subject}, but limit is ${amountText(limit)}`
}

function maxProblem({ name, per, bound, request, limit }: Bounded): string | undefined {
  const subject = `maximum ${name} usage per ${per} is ${amountText(bound)}`
  if (limit === undefined) return `${subject}.  No limit is specified`
  if (limit.nanos > bound.nanos) return `${subject}, but limit is ${amountText(limit)}`
  if (request === undefined || request.nanos <= bound.nanos) return undefined
  return `${subject}, but request is ${amountText(request)}`
}

function ratioProblem({ name, per, bound, request, limit }: Bounded): string | undefined {
  const subject = `${name} max limit to request ratio per ${per} is ${amountText(bound)}`
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
