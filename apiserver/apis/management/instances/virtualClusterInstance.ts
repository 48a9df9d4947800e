import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ResourceDefinition, SubresourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { textColumn } from '../../columns.ts'
import { flag, struct, text } from '../../schema.ts'
import { instanceRights } from './instanceRights.ts'
import {
  extendedStatusFields,
  instanceAccessFields,
  instanceFields,
  instanceStatusFields,
} from './instanceShapes.ts'
import { instanceStrategy, reportedStatus } from './instanceStatus.ts'
import { opaque, open, storedKind } from '../managementKind.ts'
import type { Platform } from '../platform.ts'
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
      spec: { ...struct(specFields(names), 'What the instance should be.'), ...open },
      status: { ...struct(statusFields(names), 'What the instance is.'), ...open },
    },
  })
  return {
    ...kind,
    strategy: {
      ...kind.strategy,
      ...instanceStrategy({
        names,
        access,
        authorizeWrite: withinProject({
          platform,
          plural,
          templateKind: 'VirtualClusterTemplate',
        }),
        templates: 'virtualclustertemplates',
        rendered: 'virtualCluster',
        // This server serves its API even without a connected cluster.
        needsCluster: false,
      }),
    },
    subresources: [
      { name: 'status', verbs: ['get', 'update', 'patch'], strategy: reportedStatus },
      ...subresources,
    ],
    extend: instanceRights(names, plural, access),
    columns: [
      nameColumn,
      textColumn('Cluster', 'spec.clusterRef.cluster', 'The connected cluster it runs in.'),
      textColumn('Phase', 'status.phase', 'Where the instance stands.'),
      { ...textColumn('Display Name', 'spec.displayName', 'Name shown in the UI.'), priority: 1 },
      ageColumn,
    ],
  }
}

function specFields(names: NamesProfile) {
  return {
    ...instanceFields(names),
    template: virtualClusterTemplateSchema('The template, given here and not by reference.'),
    clusterRef: struct(clusterRefFields(), 'Where the virtual cluster runs.'),
    workloadClusterRef: opaque('Where the workloads of the virtual cluster run, if elsewhere.'),
    ...instanceAccessFields(names),
    networkPeer: flag('The virtual cluster connects itself, and runs in no connected cluster.'),
    external: flag('The virtual cluster was made outside the platform.'),
    standalone: flag('The virtual cluster has nodes of its own and no host.'),
  }
}

function clusterRefFields() {
  return {
    cluster: text('Name of the connected cluster.'),
    namespace: text('Namespace in that cluster.'),
    virtualCluster: text('Name of the virtual cluster in that namespace.'),
  }
}

function statusFields(names: NamesProfile) {
  return {
    ...instanceStatusFields(names),
    serviceUID: text('Uid of the service in front of the virtual cluster.'),
    virtualClusterObjects: opaque('Objects that were applied in the virtual cluster.'),
    spaceObjects: opaque('Objects that were applied beside the virtual cluster.'),
    virtualCluster: virtualClusterTemplateSchema(
      'The template in use, with its parameters filled in.',
    ),
    ignoreReconciliation: flag('The instance is being moved to another project.'),
    ...extendedStatusFields(),
    online: flag('A network peer of the virtual cluster is connected.'),
  }
}
