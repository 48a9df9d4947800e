import {
  duplicateField,
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
  type FieldError,
} from '../../meta/fieldErrors.ts'
import { errorIf, qualifiedName } from '../fieldChecks.ts'
import type { Condition } from './shapes/metaV1.ts'

const maxReasonBytes = 1024
const maxMessageBytes = 32 * 1024
const reasonForm = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?'
const reasonText = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${reasonForm}')`
const statuses = ['False', 'True', 'Unknown']

/** Validates conditions of the common form. Source: Kubernetes API reference, Condition v1 of meta. */
export function metaConditionErrors(path: string, conditions: readonly Condition[]): FieldError[] {
  return conditions.flatMap((condition, at) => {
    const { type = '' } = condition
    const isRepeated = conditions.findIndex((one) => (one.type ?? '') === type) < at
    return [
      ...errorIf(isRepeated, () => duplicateField(`${path}[${at}]`, type)),
      ...oneErrors(`${path}[${at}]`, condition),
    ]
  })
}

function oneErrors(path: string, condition: Condition): FieldError[] {
  const { type = '', status = '', observedGeneration: generation = 0, message = '' } = condition
  return [
    ...(type === ''
      ? [requiredField(`${path}.type`, 'is required')]
      : qualifiedName(`${path}.type`, type)),
    ...(status === ''
      ? [requiredField(`${path}.status`)]
      : errorIf(!statuses.includes(status), () =>
          notSupportedField(`${path}.status`, status, statuses),
        )),
    ...errorIf(generation < 0, () => {
      const detail = 'must be greater than or equal to zero'
      return invalidField(`${path}.observedGeneration`, generation, detail)
    }),
    ...errorIf((condition.lastTransitionTime ?? '') === '', () =>
      requiredField(`${path}.lastTransitionTime`),
    ),
    ...reasonErrors(`${path}.reason`, condition.reason ?? ''),
    ...errorIf(Buffer.byteLength(message) > maxMessageBytes, () =>
      tooLongField(`${path}.message`, maxMessageBytes),
    ),
  ]
}

function reasonErrors(path: string, reason: string): FieldError[] {
  if (reason === '') return [requiredField(path)]
  return [
    ...errorIf(!new RegExp(`^${reasonForm}$`).test(reason), () =>
      invalidField(path, reason, reasonText),
    ),
    ...errorIf(Buffer.byteLength(reason) > maxReasonBytes, () =>
      tooLongField(path, maxReasonBytes),
    ),
  ]
}
