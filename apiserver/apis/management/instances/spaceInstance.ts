import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { textColumn } from '../../columns.ts'
import { struct, string } from '../../schema.ts'
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

const plural = 'spaceinstances'

/** A namespace of a connected cluster that a project uses. Its status subresource is an extension.
 *  Source: platform facts 3.2, 3.3. */
export function spaceInstanceResource(platform: Platform): ResourceDefinition {
  const { names, access } = platform
  const authorizeWrite = withinProject({ platform, plural, templateKind: 'SpaceTemplate' })
  const kind = storedKind({
    names,
    kind: 'SpaceInstance',
    plural,
    namespaced: true,
    description: 'SpaceInstance is a namespace of a connected cluster that a project uses.',
    fields: {
      spec: { ...struct(specFields(names), 'Desired state of the instance.'), ...open },
      status: { ...struct(statusFields(names), 'Observed state of the instance.'), ...open },
    },
  })
  return {
    ...kind,
    strategy: {
      ...kind.strategy,
      ...instanceStrategy({
        names,
        access,
        authorizeWrite,
        templates: 'spacetemplates',
        rendered: 'space',
        needsCluster: true,
      }),
    },
    subresources: [reportedSubresource(instanceReport)],
    extend: instanceRights(names, plural, access),
    columns: [
      nameColumn,
      textColumn('Cluster', 'spec.clusterRef.cluster', 'Connected cluster of the space.'),
      textColumn('Phase', 'status.phase', 'Phase of the instance.'),
      ageColumn,
    ],
  }
}

function specFields(names: NamesProfile) {
  return {
    ...instanceFields(names),
    template: opaque('Inline template, in place of a reference.'),
    clusterRef: struct(
      {
        cluster: string('Name of the connected cluster.'),
        namespace: string('Namespace of the virtual cluster.'),
      },
      'Location of the space.',
    ),
    ...instanceAccessFields(names),
  }
}

function statusFields(names: NamesProfile) {
  return {
    ...instanceStatusFields(names),
    spaceObjects: opaque('Objects applied in the space.'),
    space: opaque('The template in use, with its parameters filled in.'),
    ...extendedStatusFields(),
  }
}
