import { invalidField, notSupportedField, type FieldError } from '../../meta/fieldErrors.ts'
import { invalid } from '../../meta/statusErrors.ts'
import type { RequestContext, Strategy } from '../strategy.ts'

/** Options of a deletion. Source: reference 3.5, 1.15. */
export interface DeleteOptions {
  gracePeriodSeconds?: number
  propagationPolicy?: string
  orphanDependents?: boolean
  preconditions?: Preconditions
  dryRun?: string[]
  /** Set to delete an object that cannot be read, which is refused for one that can, and for collections. */
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean
}

export interface Preconditions {
  uid?: string
  resourceVersion?: string
}

const policies = ['Foreground', 'Background', 'Orphan']

/** Errors of the options; empty: valid. */
function deleteOptionsErrors(options: DeleteOptions): FieldError[] {
  const errors: FieldError[] = []
  const { propagationPolicy: policy, orphanDependents, dryRun = [] } = options
  if (policy !== undefined && orphanDependents !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set'
    errors.push(invalidField('propagationPolicy', policy, detail))
  }
  if (policy !== undefined && !policies.includes(policy))
    errors.push(notSupportedField('propagationPolicy', policy, [...policies, 'nil']))
  if (dryRun.some((value) => value !== 'All'))
    errors.push(notSupportedField('dryRun', dryRun, ['All']))
  return errors
}

/** Validates the options. @throws StatusError Invalid. */
export function checkDeleteOptions(options: DeleteOptions): void {
  const errors = deleteOptionsErrors(options)
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors)
}

/** Validates the options of the deletion of a collection. @throws StatusError Invalid. Source: seen on kube-apiserver 1.37.2. */
export function checkCollectionOptions(options: DeleteOptions): void {
  checkDeleteOptions(options)
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential !== true) return
  const detail = 'is not allowed with DELETECOLLECTION, try again after removing the option'
  throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
    invalidField('ignoreStoreReadErrorWithClusterBreakingPotential', true, detail),
  ])
}

/** Warns a client that does not choose how dependents are deleted, if the kind has a warning for that. */
export function warnOfDependents(
  { propagationPolicy, orphanDependents }: DeleteOptions,
  { deletion }: Strategy,
  { warn }: RequestContext,
): void {
  if (deletion?.warning === undefined) return
  if (propagationPolicy === undefined && orphanDependents === undefined) warn(deletion.warning)
}
