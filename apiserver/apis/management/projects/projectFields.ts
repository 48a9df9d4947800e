import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { flag, listOf, mapOf, struct, text } from '../../schema.ts'
import { opaque } from '../managementKind.ts'
import { accessSchema, conditionsSchema, ownerSchema } from '../sharedShapes.ts'

/** Spec fields of a project. Integrations with other products are kept unchanged. */
export function projectFields(names: NamesProfile): Record<string, Schema> {
  return {
    displayName: text('Name shown in the UI.'),
    description: text('Describes the project.'),
    owner: ownerSchema(names),
    quotas: struct(
      {
        project: amounts('What the whole project may use.'),
        user: amounts('What each user or team may use.'),
      },
      'What may be used of which resource.',
      { omitEmpty: true },
    ),
    allowedClusters: listOf(
      struct({ name: text('Name of the cluster; * means every cluster.') }, 'A connected cluster.'),
      'Connected clusters that instances of the project may run in.',
    ),
    allowedTemplates: listOf(
      struct(templateFields(), 'A template.'),
      'Templates that instances of the project may be made from.',
    ),
    requireTemplate: struct(
      { disabled: flag('Instances may be made without a template.') },
      'Whether instances have to be made from a template.',
      { omitEmpty: true },
    ),
    members: listOf(struct(memberFields(), 'A member.'), 'Users and teams of the project.'),
    access: accessSchema(names),
    namespacePattern: struct(
      {
        space: text('Pattern for spaces.'),
        virtualCluster: text('Pattern for virtual clusters.'),
      },
      'How namespaces of instances are named in their clusters.',
      { omitEmpty: true },
    ),
    [names.clusterManager]: opaque('Integration with a cluster manager.'),
    [names.secretStore]: opaque('Integration with a secret store.'),
  }
}

export function projectStatusFields(names: NamesProfile): Record<string, Schema> {
  return {
    quotas: opaque('What is used of which resource.'),
    conditions: conditionsSchema(names),
  }
}

function templateFields() {
  return {
    kind: text('Kind of the template: VirtualClusterTemplate or SpaceTemplate.'),
    group: text('API group of the template.'),
    name: text('Name of the template; * means every template of the kind.'),
    isDefault: flag('The template is used where none is named.'),
  }
}

function memberFields() {
  return {
    kind: text('User or Team.'),
    group: text('API group of the kind.'),
    name: text('Name of the user or team.'),
    clusterRole: text('Cluster role that the member has in the project.'),
  }
}

function amounts(description: string): Schema {
  return mapOf({ type: 'string' }, description)
}
