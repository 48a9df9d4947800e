import type { FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { textColumn } from '../../columns.ts'
import { notNegative, positive } from '../../fieldChecks.ts'

/** Definition of the Lease kind. Source: Kubernetes API reference, Lease v1. */
export function leaseResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'coordination.k8s.io',
    version: 'v1',
    plural: 'leases',
    kind: 'Lease',
    namespaced: true,
    description: 'Lease records the holder of a lock and how long it is held.',
    strategy: {
      metadata: { namesOnCreate: true, qualifiedFinalizers: false },
      generation: 'none',
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: false,
      prepareForCreate: withoutChoice,
      prepareForUpdate: withoutChoice,
      validate: leaseErrors,
      validateUpdate: leaseErrors,
    },
    columns: [
      nameColumn,
      textColumn('Holder', 'spec.holderIdentity', 'Current holder.'),
      ageColumn,
    ],
  })
}

function leaseErrors(object: ApiObject): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions } = specOf(object)
  return [
    ...positive('spec.leaseDurationSeconds', leaseDurationSeconds),
    ...notNegative('spec.leaseTransitions', leaseTransitions),
  ]
}

interface LeaseSpec {
  leaseDurationSeconds?: number
  leaseTransitions?: number
  strategy?: string
  preferredHolder?: string
}

function specOf(object: ApiObject): LeaseSpec {
  // Guaranteed by the schema.
  return object['spec'] ?? {}
}

/**
 * Drops the fields of coordinated leader election, which the real server also disables by default.
 */
function withoutChoice(object: ApiObject): void {
  const spec = specOf(object)
  delete spec.strategy
  delete spec.preferredHolder
}
