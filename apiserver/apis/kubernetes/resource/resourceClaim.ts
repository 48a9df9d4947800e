import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { cellColumn } from '../../columns.ts'
import { fixed } from '../../fieldChecks.ts'
import { templateMetadataErrors } from '../apps/templateRules.ts'
import { bareStatusSubresource, builtInKind, type KindContext } from '../builtInKind.ts'
import type { ResourceClaimTemplateSpec } from '../shapes/resourceV1.ts'
import { guardsAdminAccess } from './deviceAdminAccess.ts'
import { claimErrors, setRequestDefaults } from './resourceClaimRules.ts'
import { claimStatusErrors } from './claimStatusRules.ts'
import type { ResourceClaim } from './resourceShapes.ts'

const group = 'resource.k8s.io'
const version = 'v1'

/**
 * Definition of the ResourceClaim kind. Source: Kubernetes API reference, ResourceClaim v1; seen on kube-apiserver
 * 1.37.2.
 */
export function resourceClaimResource({ types, access }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group,
    version,
    plural: 'resourceclaims',
    kind: 'ResourceClaim',
    namespaced: true,
    description: 'ResourceClaim requests devices for pods.',
    strategy: {
      generation: 'none',
      deletion: { returnsObject: true },
      authorizeWrite: guardsAdminAccess(access, {
        kind: 'ResourceClaim',
        path: 'spec.devices',
        claimOf: ({ spec }: ResourceClaim) => spec?.devices,
      }),
      setDefaults: ({ spec }: ResourceClaim) => setRequestDefaults(spec?.devices),
      validate: ({ spec }: ResourceClaim) => claimErrors('spec.devices', spec?.devices),
      validateUpdate: (next, old) => fixed('spec', next['spec'], old['spec']),
    },
    subresources: [bareStatusSubresource(claimStatusErrors)],
    columns: [
      nameColumn,
      cellColumn(
        'State',
        'A summary of the current state (allocated, pending, reserved, etc.).',
        stateText,
      ),
      ageColumn,
    ],
  })
}

interface ClaimTemplate extends ApiObject {
  spec?: ResourceClaimTemplateSpec
}

/**
 * Definition of the ResourceClaimTemplate kind. Source: Kubernetes API reference, ResourceClaimTemplate v1; seen on
 * kube-apiserver 1.37.2.
 */
export function resourceClaimTemplateResource({ types, access }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group,
    version,
    plural: 'resourceclaimtemplates',
    kind: 'ResourceClaimTemplate',
    namespaced: true,
    description: 'ResourceClaimTemplate is the template of claims that are created for pods.',
    strategy: {
      generation: 'none',
      deletion: { returnsObject: true },
      authorizeWrite: guardsAdminAccess(access, {
        kind: 'ResourceClaimTemplate',
        path: 'spec.spec.devices',
        claimOf: ({ spec }: ClaimTemplate) => spec?.spec?.devices,
      }),
      setDefaults: ({ spec }: ClaimTemplate) => setRequestDefaults(spec?.spec?.devices),
      validate: ({ spec }: ClaimTemplate) => [
        ...templateMetadataErrors('spec.metadata', spec),
        ...claimErrors('spec.spec.devices', spec?.spec?.devices),
      ],
      validateUpdate: (next, old) => fixed('spec', next['spec'], old['spec']),
    },
    columns: [nameColumn, ageColumn],
  })
}

function stateText({ metadata, status }: ResourceClaim): string {
  const isDeleted = metadata.deletionTimestamp !== undefined
  const { allocation, reservedFor = [] } = status ?? {}
  const states = [
    ...(isDeleted ? ['deleted'] : []),
    ...(allocation === undefined && !isDeleted ? ['pending'] : []),
    ...(allocation === undefined ? [] : ['allocated']),
    ...(allocation !== undefined && reservedFor.length > 0 ? ['reserved'] : []),
  ]
  return states.join(',')
}
