import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import type { ResourceDefinition, SubresourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { textColumn } from '../../columns.ts'
import { flag, struct, string } from '../../schema.ts'
import { accessErrors } from '../accessRules.ts'
import { opaque, open, storedKind } from '../managementKind.ts'
import { fillOwner } from '../fillOwner.ts'
import { reportedSubresource } from '../reportedStatus.ts'
import { accessSchema, conditionsSchema, ownerSchema, secretRefSchema } from '../sharedShapes.ts'

/**
 * A connected cluster. The annotation `<domain>/direct-cluster-endpoint` (with `-insecure` and
 * `-ca-data`) is the address for direct connections. This server serves its API, so it is
 * initialized as soon as it is stored.
 * Source: platform facts 1.0, 3.2, 3.3.
 */
export function clusterResource(
  names: NamesProfile,
  subresources: readonly SubresourceDefinition[],
): ResourceDefinition {
  const kind = storedKind({
    names,
    kind: 'Cluster',
    plural: 'clusters',
    description: 'Cluster is a connected cluster.',
    fields: {
      spec: { ...struct(clusterFields(names), 'Desired state of the cluster.'), ...open },
      status: { ...struct(statusFields(names), 'Observed state of the cluster.'), ...open },
    },
  })
  return {
    ...kind,
    strategy: {
      ...kind.strategy,
      prepareForCreate: (object, context) => {
        fillOwner(object, context)
        object['status'] = { phase: 'Initialized' }
      },
      validate: (object) => accessErrors(object),
      validateUpdate: (object) => accessErrors(object),
    },
    subresources: [reportedSubresource(), ...subresources],
    columns: [
      nameColumn,
      textColumn('Phase', 'status.phase', 'Phase of the cluster.'),
      { ...textColumn('Display Name', 'spec.displayName', 'Name shown in the UI.'), priority: 1 },
      ageColumn,
    ],
  }
}

function clusterFields(names: NamesProfile): Record<string, Schema> {
  return {
    displayName: string('Name shown in the UI.'),
    description: string('Describes the cluster.'),
    owner: ownerSchema(names),
    config: secretRefSchema(names, 'Reference to a kubeconfig of the cluster.'),
    local: flag('Whether the platform runs in this cluster.'),
    networkPeer: flag('Whether the cluster opens the connection itself.'),
    managementNamespace: string('Namespace of the platform in the cluster.'),
    unusable: flag('Whether new instances are refused in the cluster.'),
    access: accessSchema(names),
    metrics: opaque('Settings of metrics.'),
  }
}

function statusFields(names: NamesProfile): Record<string, Schema> {
  return {
    phase: string('Phase of the cluster: Initialized, Failed, or empty until it is initialized.'),
    reason: string('Reason for the phase, in CamelCase.'),
    message: string('Human-readable explanation of the phase.'),
    online: flag('Whether the cluster is connected.'),
    conditions: conditionsSchema(names),
  }
}
