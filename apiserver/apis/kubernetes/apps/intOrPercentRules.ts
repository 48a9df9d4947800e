import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { notNegative } from '../../fieldChecks.ts'
import type { RollingUpdateDaemonSet } from '../shapes/appsV1.ts'

/** Number, or a percentage such as `25%`. */
export type IntOrPercent = number | string | undefined

/**
 * Strategy as error messages show it: the internal type of the real server, whose fields have no
 * JSON names.
 */
export function shownStrategy(type: string, rollingUpdate: RollingUpdateDaemonSet | undefined) {
  if (rollingUpdate === undefined) return { Type: type, RollingUpdate: null }
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate
  return { Type: type, RollingUpdate: { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge } }
}

const percent = /^[0-9]+%$/

/**
 * Errors for a non-negative number or percentage. Source: apimachinery,
 * ValidatePositiveIntOrPercent.
 */
export function intOrPercentErrors(path: string, value: IntOrPercent): FieldError[] {
  if (value === undefined) return []
  if (typeof value === 'number') return notNegative(path, value)
  if (percent.test(value)) return []
  const detail =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
  return [invalidField(path, value, detail)]
}

/** Error for more than 100%. */
export function percentLimitErrors(path: string, value: IntOrPercent): FieldError[] {
  if (typeof value !== 'string' || !percent.test(value) || intOrPercentValue(value) <= 100)
    return []
  return [invalidField(path, value, 'must not be greater than 100%')]
}

/** Number, or the number before the percent sign; 0: absent or invalid. */
export function intOrPercentValue(value: IntOrPercent): number {
  if (typeof value === 'number') return value
  const text = value ?? ''
  return percent.test(text) || /^[-+]?[0-9]+$/.test(text) ? Number.parseInt(text, 10) : 0
}
