import { invalidField, notSupportedField, type FieldError } from '../../../../meta/fieldErrors.ts'
import { labelKeyErrors } from '../../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { PersistentVolumeClaimStatus } from '../../shapes/coreV1.ts'
import { compareQuantityStrings } from '../quantityRules.ts'

const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
]

/** Errors for the status of a claim. Source: seen on kube-apiserver 1.37.2. */
export function claimStatusErrors(object: ApiObject): FieldError[] {
  const status = (object['status'] ?? {}) as PersistentVolumeClaimStatus
  const { capacity = {}, allocatedResources = {}, allocatedResourceStatuses = {} } = status
  const statuses = 'status.allocatedResourceStatuses'
  const quantities = 'status.allocatedResources'
  return [
    ...Object.entries(capacity).flatMap(([name, quantity]) =>
      quantityErrors(`status.capacity[${name}]`, quantity),
    ),
    ...Object.entries(allocatedResourceStatuses).flatMap(([name, value]) => [
      ...nameErrors(statuses, name),
      ...(resizeStatuses.includes(value)
        ? []
        : [notSupportedField(statuses, name, resizeStatuses)]),
    ]),
    ...Object.entries(allocatedResources).flatMap(([name, quantity]) => {
      const wrong = nameErrors(quantities, name)
      return wrong.length > 0 ? wrong : quantityErrors(`${quantities}[${name}]`, quantity)
    }),
  ]
}

function quantityErrors(path: string, quantity: string): FieldError[] {
  if (compareQuantityStrings(quantity, '0') >= 0) return []
  return [invalidField(path, Number.parseInt(quantity, 10), 'must be a valid resource quantity')]
}

/** Errors for resource names; the only API-defined name allowed is storage. */
function nameErrors(path: string, name: string): FieldError[] {
  const problems = labelKeyErrors(name).map((text) => invalidField(path, name, text))
  if (problems.length > 0) return problems
  const isNative = !name.includes('/') || name.includes('kubernetes.io/')
  return isNative && name !== 'storage' ? [notSupportedField(path, name, ['storage'])] : []
}
