import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { flag, listOf, mapOf, struct, string } from '../../schema.ts'
import { opaque } from '../managementKind.ts'
import { accessSchema, conditionsSchema, ownerSchema } from '../sharedShapes.ts'

/** Spec fields of a project. Integrations with other products are kept unchanged. */
export function projectFields(names: NamesProfile): Record<string, Schema> {
  return {
    displayName: string('Name shown in the UI.'),
    description: string('Describes the project.'),
    owner: ownerSchema(names),
    quotas: struct(
      {
        project: quantities('Quota of the whole project.'),
        user: quantities('Quota of each user or team.'),
      },
      'Quotas by resource.',
      { omitEmpty: true },
    ),
    allowedClusters: listOf(
      struct(
        { name: string('Name of the cluster; * means every cluster.') },
        'A connected cluster.',
      ),
      'Connected clusters that instances of the project may run in.',
    ),
    allowedTemplates: listOf(
      struct(templateFields(), 'A template.'),
      'Allowed templates for instances of the project.',
    ),
    requireTemplate: struct(
      { disabled: flag('Whether instances may be created without a template.') },
      'Requirement that instances are created from a template.',
      { omitEmpty: true },
    ),
    members: listOf(struct(memberFields(), 'A member.'), 'Users and teams of the project.'),
    access: accessSchema(names),
    namespacePattern: struct(
      {
        space: string('Pattern for spaces.'),
        virtualCluster: string('Pattern for virtual clusters.'),
      },
      'Name patterns of instance namespaces in their clusters.',
      { omitEmpty: true },
    ),
    [names.clusterManager]: opaque('Integration with a cluster manager.'),
    [names.secretStore]: opaque('Integration with a secret store.'),
  }
}

export function projectStatusFields(names: NamesProfile): Record<string, Schema> {
  return {
    quotas: opaque('Used resources.'),
    conditions: conditionsSchema(names),
  }
}

function templateFields() {
  return {
    kind: string('Kind of the template: VirtualClusterTemplate or SpaceTemplate.'),
    group: string('API group of the template.'),
    name: string('Name of the template; * means every template of the kind.'),
    isDefault: flag('Whether the template is the default.'),
  }
}

function memberFields() {
  return {
    kind: string('User or Team.'),
    group: string('API group of the kind.'),
    name: string('Name of the user or team.'),
    clusterRole: string('Cluster role that the member has in the project.'),
  }
}

function quantities(description: string): Schema {
  return mapOf({ type: 'string' }, description)
}
