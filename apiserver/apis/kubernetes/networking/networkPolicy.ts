import { isDeepStrictEqual } from 'node:util'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { cellColumn } from '../../columns.ts'
import { fill } from '../../fill.ts'
import { selectorText } from '../labelSelection.ts'
import type { NetworkPolicySpec } from '../shapes/networkingV1.ts'
import { policyErrors, policyWarnings, rangesOf } from './networkPolicyRules.ts'

/** Definition of the NetworkPolicy kind, which is only stored. Source: Kubernetes API reference, NetworkPolicy v1. */
export function networkPolicyResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'networking.k8s.io',
    version: 'v1',
    plural: 'networkpolicies',
    kind: 'NetworkPolicy',
    namespaced: true,
    shortNames: ['netpol'],
    description: 'NetworkPolicy restricts the network traffic of pods.',
    strategy: {
      metadata: { namesOnCreate: true },
      generation: 'spec',
      // The real server compares by reflection, so an empty map and an absent spec differ.
      raisesGeneration: (next, old) => !isDeepStrictEqual(next['spec'], old['spec']),
      setDefaults,
      validate: (object) => policyErrors(specOf(object)),
      validateUpdate: (next, old) => policyErrors(specOf(next), rangesOf(specOf(old))),
      warningsOnCreate: (object) => policyWarnings(specOf(object)),
      warningsOnUpdate: (object) => policyWarnings(specOf(object)),
    },
    columns: [
      nameColumn,
      cellColumn(
        'Pod-Selector',
        'Label selector of the pods that the policy applies to.',
        (object) => selectorText(specOf(object).podSelector),
      ),
      ageColumn,
    ],
  })
}

function specOf(object: ApiObject): NetworkPolicySpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}

function portsOf({ ingress = [], egress = [] }: NetworkPolicySpec) {
  return [...ingress, ...egress].flatMap(({ ports = [] }) => ports)
}

function setDefaults(object: ApiObject): void {
  const spec = specOf(object)
  for (const port of portsOf(spec)) port.protocol ??= 'TCP'
  const hasEgress = (spec.egress ?? []).length > 0
  if (spec.policyTypes?.length === 0) delete spec.policyTypes
  fill(spec, { policyTypes: hasEgress ? ['Ingress', 'Egress'] : ['Ingress'] })
}
