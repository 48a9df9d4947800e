import {
  duplicateField,
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import { podSpecIn } from '../apps/workload.ts'
import { notNegative, qualifiedName } from '../../fieldChecks.ts'
import type { JobSpec, PodFailurePolicyRule, SuccessPolicyRule } from '../shapes/batchV1.ts'
import { countIndexes } from './jobIndexes.ts'
import { repeats } from '../../../meta/collections/repeats.ts'

const maxRules = 20
const maxExitCodes = 255
const maxConditions = 20
const maxIndexesBytes = 64 * 1024

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const operators = ['In', 'NotIn']
const statuses = ['False', 'True', 'Unknown']

/**
 * Errors for a failure policy. Source: Kubernetes API reference, PodFailurePolicy v1; observed
 * answers.
 */
export function failurePolicyErrors(path: string, spec: JobSpec): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? []
  return [
    ...manyErrors(path, rules.length, maxRules),
    ...rules.flatMap((rule, index) => ruleErrors(`${path}[${index}]`, rule, spec)),
  ]
}

function manyErrors(path: string, count: number, most: number): FieldError[] {
  return count > most ? [tooManyField(path, count, most)] : []
}

function ruleErrors(path: string, rule: PodFailurePolicyRule, spec: JobSpec): FieldError[] {
  const { onExitCodes, onPodConditions = [] } = rule
  const at = `${path}.onPodConditions`
  return [
    ...actionErrors(`${path}.action`, rule.action ?? '', spec),
    ...(onExitCodes ? exitErrors(`${path}.onExitCodes`, onExitCodes, spec) : []),
    ...manyErrors(at, onPodConditions.length, maxConditions),
    ...onPodConditions.flatMap(({ type = '', status = '' }, index) => [
      ...qualifiedName(`${at}[${index}].type`, type),
      ...knownErrors(`${at}[${index}].status`, status, statuses),
    ]),
    ...choiceErrors(path, onExitCodes !== undefined, onPodConditions.length > 0),
  ]
}

function choiceErrors(path: string, hasCodes: boolean, hasConditions: boolean): FieldError[] {
  if (hasCodes !== hasConditions) return []
  const detail = hasCodes
    ? 'specifying both OnExitCodes and OnPodConditions is not supported'
    : 'specifying one of OnExitCodes and OnPodConditions is required'
  return [{ reason: 'FieldValueInvalid', field: path, message: `Invalid value: ${detail}` }]
}

function actionErrors(path: string, action: string, spec: JobSpec): FieldError[] {
  if (action !== 'FailIndex') return knownErrors(path, action, actions)
  if (spec.backoffLimitPerIndex !== undefined) return []
  return [invalidField(path, action, 'requires the backoffLimitPerIndex to be set')]
}

function knownErrors(path: string, value: string, known: readonly string[]): FieldError[] {
  if (known.includes(value)) return []
  if (value !== '') return [notSupportedField(path, value, known)]
  return [requiredField(path, `valid values: [${known.map((one) => goQuote(one)).join(' ')}]`)]
}

function exitErrors(
  path: string,
  codes: NonNullable<PodFailurePolicyRule['onExitCodes']>,
  { template }: JobSpec,
): FieldError[] {
  const { containerName, operator = '' } = codes
  const { containers, initContainers = [] } = podSpecIn(template)
  const isThere = [...(containers ?? []), ...initContainers].some(
    ({ name }) => name === containerName,
  )
  const detail = 'must be one of the container or initContainer names in the pod template'
  return [
    ...knownErrors(`${path}.operator`, operator, operators),
    ...(containerName === undefined || isThere
      ? []
      : [invalidField(`${path}.containerName`, containerName, detail)]),
    ...valueErrors(`${path}.values`, codes.values, operator),
  ]
}

function valueErrors(
  path: string,
  sent: readonly number[] | null | undefined,
  operator: string,
): FieldError[] {
  const values = sent ?? []
  const isRepeated = repeats(values)
  const isOrdered = values.every((value, index) => index === 0 || (values[index - 1] ?? 0) <= value)
  return [
    ...(values.length === 0 ? [invalidField(path, sent, 'at least one value is required')] : []),
    ...manyErrors(path, values.length, maxExitCodes),
    ...values.flatMap((value, index) => {
      const at = `${path}[${index}]`
      const detail = 'must not be 0 for the In operator'
      return [
        ...(operator === 'In' && value === 0 ? [invalidField(at, value, detail)] : []),
        ...(isRepeated[index] === true ? [duplicateField(at, value)] : []),
      ]
    }),
    ...(isOrdered ? [] : [invalidField(path, values, 'must be ordered')]),
  ]
}

/**
 * Errors for a success policy. Source: Kubernetes API reference, SuccessPolicy v1; observed
 * answers.
 */
export function successPolicyErrors(path: string, spec: JobSpec): FieldError[] {
  const rules = spec.successPolicy?.rules ?? []
  const detail = 'at least one rules must be specified when the successPolicy is specified'
  return [
    ...(rules.length === 0 ? [requiredField(path, detail)] : []),
    ...manyErrors(path, rules.length, maxRules),
    ...rules.flatMap((rule, index) =>
      successErrors(`${path}[${index}]`, rule, spec.completions ?? 0),
    ),
  ]
}

function successErrors(path: string, rule: SuccessPolicyRule, completions: number): FieldError[] {
  const { succeededIndexes: indexes, succeededCount: count } = rule
  if (indexes === undefined && count === undefined) {
    const detail = 'at least one of succeededCount or succeededIndexes must be specified'
    return [requiredField(path, detail)]
  }
  const counted = countIndexes(indexes ?? '', completions)
  const total = typeof counted === 'number' ? counted : 0
  const at = `${path}.succeededIndexes`
  return [
    ...((indexes ?? '').length > maxIndexesBytes ? [tooLongField(at, maxIndexesBytes)] : []),
    ...(typeof counted === 'string'
      ? [invalidField(at, indexes, `error parsing succeededIndexes: ${counted}`)]
      : []),
    ...(count === undefined
      ? []
      : [
          ...notNegative(`${path}.succeededCount`, count),
          ...boundErrors(path, count, completions, 'specified completions'),
          ...(indexes === undefined
            ? []
            : boundErrors(path, count, total, 'indexes in the specified succeededIndexes field')),
        ]),
  ]
}

function boundErrors(path: string, count: number, most: number, of: string): FieldError[] {
  if (count <= most) return []
  const detail = `must be less than or equal to ${most} (the number of ${of})`
  return [invalidField(`${path}.succeededCount`, count, detail)]
}
