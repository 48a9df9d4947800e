import { invalidField, notSupportedField, type FieldError } from '../../../../meta/fieldErrors.ts'
import { labelKeyErrors } from '../../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import { compareAmounts } from '../quantities.ts'

type Amounts = Readonly<Record<string, string>>

interface ClaimStatus {
  capacity?: Amounts
  allocatedResources?: Amounts
  allocatedResourceStatuses?: Readonly<Record<string, string>>
}

const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
]

/** Errors of the status of a claim. Source: seen on kube-apiserver 1.37.2. */
export function claimStatusErrors(object: ApiObject): FieldError[] {
  const status = (object['status'] ?? {}) as ClaimStatus
  const { capacity = {}, allocatedResources = {}, allocatedResourceStatuses = {} } = status
  const statuses = 'status.allocatedResourceStatuses'
  const amounts = 'status.allocatedResources'
  return [
    ...Object.entries(capacity).flatMap(([name, amount]) =>
      amountErrors(`status.capacity[${name}]`, amount),
    ),
    ...Object.entries(allocatedResourceStatuses).flatMap(([name, value]) => [
      ...nameErrors(statuses, name),
      ...(resizeStatuses.includes(value)
        ? []
        : [notSupportedField(statuses, name, resizeStatuses)]),
    ]),
    ...Object.entries(allocatedResources).flatMap(([name, amount]) => {
      const wrong = nameErrors(amounts, name)
      return wrong.length > 0 ? wrong : amountErrors(`${amounts}[${name}]`, amount)
    }),
  ]
}

function amountErrors(path: string, amount: string): FieldError[] {
  if (compareAmounts(amount, '0') >= 0) return []
  return [invalidField(path, Number.parseInt(amount, 10), 'must be a valid resource quantity')]
}

/** Errors of resource names: among the names defined by the API, only storage is allowed. */
function nameErrors(path: string, name: string): FieldError[] {
  const problems = labelKeyErrors(name).map((text) => invalidField(path, name, text))
  if (problems.length > 0) return problems
  const isNative = !name.includes('/') || name.includes('kubernetes.io/')
  return isNative && name !== 'storage' ? [notSupportedField(path, name, ['storage'])] : []
}
