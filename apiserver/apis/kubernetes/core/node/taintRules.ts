import {
  duplicateField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { labelKeyErrors, labelValueErrors } from '../../../../meta/names/nameValidation.ts'
import { errorIf } from '../../../fieldChecks.ts'
import { repeats } from '../../../../meta/collections/repeats.ts'
import type { Taint, Toleration } from '../../shapes/coreV1.ts'

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** Errors for taints. Source: Kubernetes API reference, Taint v1; observed answers. */
export function taintErrors(path: string, taints: readonly Taint[]): FieldError[] {
  const isRepeat = repeats(taints.map(({ key = '', effect = '' }) => `${effect} ${key}`))
  return taints.flatMap((taint, index) => {
    const { key = '', value = '', effect = '' } = taint
    const at = `${path}[${index}]`
    return [
      ...labelKeyErrors(key).map((text) => invalidField(`${at}.key`, key, text)),
      ...labelValueErrors(value).map((text) => invalidField(`${at}.value`, value, text)),
      ...(effect === '' ? [requiredField(`${at}.effect`)] : effectErrors(`${at}.effect`, effect)),
      ...(isRepeat[index] === true ? [duplicateTaint(at, taint)] : []),
    ]
  })
}

/**
 * Error for a duplicate taint. The value is shown as kube-apiserver's internal type, whose fields
 * have no JSON names.
 */
function duplicateTaint(path: string, taint: Taint): FieldError {
  const { key = '', value = '', effect = '', timeAdded = null } = taint
  const shown = { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded }
  const { message, ...error } = duplicateField(path, shown)
  return { ...error, message: `${message}: taints must be unique by key and effect pair` }
}

function effectErrors(path: string, effect: string): FieldError[] {
  return effects.includes(effect) ? [] : [notSupportedField(path, effect, effects)]
}

const anyKeyText =
  'operator must be Exists when `key` is empty, which means "match all values and all keys"'

/** Errors for tolerations. Source: Kubernetes API reference, Toleration v1; observed answers. */
export function tolerationErrors(path: string, tolerations: readonly Toleration[]): FieldError[] {
  return tolerations.flatMap((toleration, index) => {
    const { key = '', operator = '', effect = '', tolerationSeconds } = toleration
    const at = `${path}[${index}]`
    const endsTooEarly = tolerationSeconds !== undefined && effect !== 'NoExecute'
    const secondsText = "effect must be 'NoExecute' when `tolerationSeconds` is set"
    return [
      ...(key === ''
        ? []
        : labelKeyErrors(key).map((text) => invalidField(`${at}.key`, key, text))),
      ...(key === '' && operator !== 'Exists'
        ? [invalidField(`${at}.operator`, operator, anyKeyText)]
        : []),
      ...(endsTooEarly ? [invalidField(`${at}.effect`, effect, secondsText)] : []),
      ...operatorErrors(`${at}.operator`, toleration),
      ...(effect === '' ? [] : effectErrors(`${at}.effect`, effect)),
    ]
  })
}

function operatorErrors(path: string, toleration: Toleration): FieldError[] {
  const { operator = '', value = '' } = toleration
  switch (operator) {
    case '':
    case 'Equal':
      return errorIf(labelValueErrors(value).length > 0, () =>
        invalidField(path, value, labelValueErrors(value).join(';')),
      )
    case 'Exists': {
      const detail = "value must be empty when `operator` is 'Exists'"
      return value === '' ? [] : [invalidField(path, value, detail)]
    }
    default:
      return [notSupportedField(path, operator, ['Equal', 'Exists', ...numeric(operator)])]
  }
}

/** Errors for comparison operators, which are known, but not enabled. */
function numeric(operator: string): string[] {
  return ['Lt', 'Gt'].includes(operator) ? ['Lt', 'Gt'] : []
}
