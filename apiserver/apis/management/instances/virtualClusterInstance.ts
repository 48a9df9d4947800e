import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ResourceDefinition, SubresourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { textColumn } from '../../columns.ts'
import { flag, struct, string } from '../../schema.ts'
import { hostRights } from './hostRights.ts'
import { instanceRights } from './instanceRights.ts'
import {
  extendedStatusFields,
  instanceAccessFields,
  instanceFields,
  instanceStatusFields,
} from './instanceShapes.ts'
import { instanceReport, instanceStrategy } from './instanceStatus.ts'
import { opaque, open, storedKind } from '../managementKind.ts'
import type { Platform } from '../platform.ts'
import { reportedSubresource } from '../reportedStatus.ts'
import { withinProject } from '../projects/projectLimits.ts'
import { virtualClusterTemplateSchema } from './virtualClusterTemplate.ts'

const plural = 'virtualclusterinstances'

/**
 * A virtual cluster of a project. Its status subresource is an extension: its runner reports there.
 * Source: platform facts 3.2, 3.3.
 */
export function virtualClusterInstanceResource(
  platform: Platform,
  subresources: readonly SubresourceDefinition[],
): ResourceDefinition {
  const { names, access } = platform
  const kind = storedKind({
    names,
    kind: 'VirtualClusterInstance',
    plural,
    namespaced: true,
    description: 'VirtualClusterInstance is a virtual cluster of a project.',
    fields: {
      spec: { ...struct(specFields(names), 'Desired state of the instance.'), ...open },
      status: { ...struct(statusFields(names), 'Observed state of the instance.'), ...open },
    },
  })
  const limits = withinProject({ platform, plural, templateKind: 'VirtualClusterTemplate' })
  const onHost = hostRights(platform)
  return {
    ...kind,
    strategy: {
      ...kind.strategy,
      ...instanceStrategy({
        names,
        access,
        authorizeWrite: async (next, old, context) => {
          await limits(next, old, context)
          await onHost(next, old, context)
        },
        templates: 'virtualclustertemplates',
        rendered: 'virtualCluster',
        // This server serves its API even without a connected cluster.
        needsCluster: false,
      }),
    },
    subresources: [reportedSubresource(instanceReport), ...subresources],
    extend: instanceRights(names, plural, access),
    columns: [
      nameColumn,
      textColumn(
        'Cluster',
        'spec.clusterRef.cluster',
        'Connected cluster that the virtual cluster runs in.',
      ),
      textColumn('Phase', 'status.phase', 'Phase of the instance.'),
      { ...textColumn('Display Name', 'spec.displayName', 'Name shown in the UI.'), priority: 1 },
      ageColumn,
    ],
  }
}

function specFields(names: NamesProfile) {
  return {
    ...instanceFields(names),
    template: virtualClusterTemplateSchema('Inline template, in place of a reference.'),
    clusterRef: struct(clusterRefFields(), 'Location of the virtual cluster.'),
    workloadClusterRef: opaque('Location of the workloads of the virtual cluster, if it differs.'),
    ...instanceAccessFields(names),
    networkPeer: flag(
      'Whether the virtual cluster opens the connection itself and runs in no connected cluster.',
    ),
    external: flag('Whether the virtual cluster was created outside the platform.'),
    standalone: flag('Whether the virtual cluster has its own nodes and no host.'),
  }
}

function clusterRefFields() {
  return {
    cluster: string('Name of the connected cluster.'),
    namespace: string('Namespace in that cluster.'),
    virtualCluster: string('Name of the virtual cluster in that namespace.'),
  }
}

function statusFields(names: NamesProfile) {
  return {
    ...instanceStatusFields(names),
    serviceUID: string('Uid of the service in front of the virtual cluster.'),
    virtualClusterObjects: opaque('Objects applied in the virtual cluster.'),
    spaceObjects: opaque('Objects applied in the host namespace of the virtual cluster.'),
    virtualCluster: virtualClusterTemplateSchema(
      'The template in use, with its parameters filled in.',
    ),
    ignoreReconciliation: flag('Whether the instance is being moved to another project.'),
    ...extendedStatusFields(),
    online: flag('Whether a network peer of the virtual cluster is connected.'),
  }
}
