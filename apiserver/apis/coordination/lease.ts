import type { FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { textColumn } from '../columns.ts'
import { notNegative, positive } from '../fieldChecks.ts'

/** Source: Kubernetes API reference, Lease v1. */
export function leaseResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'coordination.k8s.io',
    version: 'v1',
    plural: 'leases',
    kind: 'Lease',
    namespaced: true,
    description: 'Lease says who holds something, and until when.',
    strategy: {
      generation: 'none',
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: false,
      validate: leaseErrors,
      validateUpdate: leaseErrors,
    },
    columns: [nameColumn, textColumn('Holder', 'spec.holderIdentity', 'Who holds it.'), ageColumn],
  })
}

function leaseErrors(object: ApiObject): FieldError[] {
  // The schema says what a lease's spec holds.
  const { leaseDurationSeconds, leaseTransitions } = object['spec'] as Record<
    string,
    number | undefined
  >
  return [
    ...positive('spec.leaseDurationSeconds', leaseDurationSeconds),
    ...notNegative('spec.leaseTransitions', leaseTransitions),
  ]
}
