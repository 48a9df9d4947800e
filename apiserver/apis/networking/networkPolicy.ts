import type { FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { cellColumn } from '../columns.ts'
import { oneOf } from '../fieldChecks.ts'
import { fill } from '../fill.ts'
import { selectorText, type SpecSelector } from '../labelSelection.ts'
import { selectorErrors } from '../selectorRules.ts'

interface Rule {
  ports?: { protocol?: string }[]
}

interface PolicySpec {
  podSelector?: SpecSelector
  ingress?: Rule[]
  egress?: Rule[]
  policyTypes?: string[]
}

/** Stored only. Source: Kubernetes API reference, NetworkPolicy v1. */
export function networkPolicyResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'networking.k8s.io',
    version: 'v1',
    plural: 'networkpolicies',
    kind: 'NetworkPolicy',
    namespaced: true,
    shortNames: ['netpol'],
    description: 'NetworkPolicy says what pods may talk to.',
    strategy: {
      generation: 'spec',
      setDefaults,
      validate: policyErrors,
      validateUpdate: policyErrors,
    },
    columns: [
      nameColumn,
      cellColumn('Pod-Selector', 'The pods it is about.', (object) =>
        selectorText(specOf(object).podSelector),
      ),
      ageColumn,
    ],
  })
}

function specOf(object: ApiObject): PolicySpec {
  // The schema says what the spec holds, and the store gives every object one.
  return object['spec'] ?? {}
}

function portsOf({ ingress = [], egress = [] }: PolicySpec) {
  return [...ingress, ...egress].flatMap(({ ports = [] }) => ports)
}

function setDefaults(object: ApiObject): void {
  const spec = specOf(object)
  for (const port of portsOf(spec)) fill(port, { protocol: 'TCP' })
  const hasEgress = (spec.egress ?? []).length > 0
  fill(spec, { policyTypes: hasEgress ? ['Ingress', 'Egress'] : ['Ingress'] })
}

function policyErrors(object: ApiObject): FieldError[] {
  const { podSelector = {}, policyTypes = [] } = specOf(object)
  return [
    ...selectorErrors('spec.podSelector', podSelector),
    ...policyTypes.flatMap((type, index) =>
      oneOf(`spec.policyTypes[${index}]`, type, ['Egress', 'Ingress']),
    ),
  ]
}
