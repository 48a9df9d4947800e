import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { notNegative } from '../../fieldChecks.ts'

/** A number, or a part of a hundred. */
export type Share = number | string | undefined

/** Limits of a rolling update: unavailable pods and surplus pods. */
export interface RollingUpdate {
  maxUnavailable?: Share
  maxSurge?: Share
}

/** A strategy as the real server shows its internal type, whose fields have no names of their own. */
export function shownStrategy(type: string, rollingUpdate: RollingUpdate | undefined) {
  if (rollingUpdate === undefined) return { Type: type, RollingUpdate: null }
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate
  return { Type: type, RollingUpdate: { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge } }
}

const percent = /^[0-9]+%$/

/** Source: apimachinery, ValidatePositiveIntOrPercent. */
export function shareErrors(path: string, share: Share): FieldError[] {
  if (share === undefined) return []
  if (typeof share === 'number') return notNegative(path, share)
  if (percent.test(share)) return []
  const detail =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
  return [invalidField(path, share, detail)]
}

/** Error for more than 100%. */
export function wholeShareErrors(path: string, share: Share): FieldError[] {
  if (typeof share !== 'string' || !percent.test(share) || shareValue(share) <= 100) return []
  return [invalidField(path, share, 'must not be greater than 100%')]
}

/** The number, or that of the hundredths; 0: nothing, or something that cannot be read. */
export function shareValue(share: Share): number {
  if (typeof share === 'number') return share
  const text = share ?? ''
  return percent.test(text) || /^[-+]?[0-9]+$/.test(text) ? Number.parseInt(text, 10) : 0
}
