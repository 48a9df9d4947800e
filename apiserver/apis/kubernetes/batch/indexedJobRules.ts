import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { JobSpec } from '../shapes/batchV1.ts'
import { isIndexed } from './jobSpec.ts'

const maxParallelism = 100_000
const maxFailed = 100_000
/** Number of completions above which a job with a backoff limit per index has stricter limits. */
const manyCompletions = 100_000
const maxParallelismOfMany = 10_000
const maxFailedOfMany = 10_000

/**
 * Errors for the bounds of a job that counts failures per index; other jobs may not set fields
 * about indexes. Source: Kubernetes API reference, JobSpec v1; observed answers.
 */
export function indexedErrors(path: string, spec: JobSpec): FieldError[] {
  const { completionMode } = spec
  if (isIndexed(spec)) return boundErrors(path, spec)
  if (completionMode !== undefined && completionMode !== 'NonIndexed') return []
  return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const)
    .filter((field) => spec[field] !== undefined)
    .map((field) =>
      invalidField(`${path}.${field}`, spec[field], 'requires indexed completion mode'),
    )
}

function boundErrors(path: string, spec: JobSpec): FieldError[] {
  const { completions, parallelism, maxFailedIndexes: failed } = spec
  const atMost = (field: string, value: number | undefined, most: number, why = '') =>
    value === undefined || value <= most
      ? []
      : [invalidField(`${path}.${field}`, value, `must be less than or equal to ${most}${why}`)]
  const beyond =
    failed !== undefined && completions !== undefined && failed > completions
      ? [
          invalidField(
            `${path}.maxFailedIndexes`,
            failed,
            'must be less than or equal to completions',
          ),
        ]
      : []
  const errors = [
    ...(completions === undefined
      ? [requiredField(`${path}.completions`, 'when completion mode is Indexed')]
      : []),
    ...atMost('parallelism', parallelism, maxParallelism, ' when completion mode is Indexed'),
    ...beyond,
    ...atMost('maxFailedIndexes', failed, maxFailed),
  ]
  const isMany = completions !== undefined && completions > manyCompletions
  if (!isMany || spec.backoffLimitPerIndex === undefined) return errors
  const why = ` when completions are above ${manyCompletions} and used with backoff limit per index`
  const detail = `must be specified when completions is above ${manyCompletions}`
  return [
    ...errors,
    ...(failed === undefined ? [requiredField(`${path}.maxFailedIndexes`, detail)] : []),
    ...atMost('parallelism', parallelism, maxParallelismOfMany, why),
    ...atMost('maxFailedIndexes', failed, maxFailedOfMany, why),
  ]
}
