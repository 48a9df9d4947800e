import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { definitionName, flag, listOf, struct, string, stringList } from '../../schema.ts'

/** The scope of a key or token. Source: specification, "Scope"; platform facts 2. */
export function scopeSchema(names: NamesProfile): Schema {
  const cliField = `allow${capitalized(names.platform)}Cli`
  return struct(
    {
      roles: listOf(roleSchema, `Managed permissions, such as the role ${names.cliRole}.`),
      projects: listOf(
        struct({ project: string('Name of the project; * selects all.') }, 'A whole project.'),
        'Projects that the scope gives access to.',
      ),
      spaces: listOf(
        struct(
          {
            project: string('Name of the project.'),
            space: string('Name of the space; * selects all spaces of the project.'),
          },
          'A space of a project.',
        ),
        'Spaces that the scope gives access to.',
      ),
      virtualClusters: listOf(
        struct(
          {
            project: string('Name of the project.'),
            virtualCluster: string('Name of the virtual cluster; * selects all of the project.'),
          },
          'A virtual cluster of a project.',
        ),
        'Virtual clusters that the scope gives access to.',
      ),
      clusters: listOf(
        struct({ cluster: string('Name of the cluster; * selects all.') }, 'A connected cluster.'),
        'Clusters that the scope gives access to.',
      ),
      rules: listOf(
        ruleSchema,
        'Deprecated: use projects, spaces and virtualClusters. Requests that the scope gives access to.',
      ),
      [cliField]: flag(
        `Deprecated: use roles with the role ${names.cliRole}. Allows read-only requests so that the command-line client works.`,
      ),
    },
    'Restricts the key to some of the rights of its owner. Empty: no restriction.',
    { definition: definitionName(managementGroup(names), 'v1', 'AccessKeyScope'), omitEmpty: true },
  )
}

const roleSchema = struct(
  {
    role: string('Name of the role.'),
    projects: stringList('Projects that the role is restricted to.'),
    virtualClusters: stringList('Virtual clusters that the role is restricted to.'),
  },
  'A managed set of permissions.',
)

const ruleSchema = struct(
  {
    verbs: stringList('Verbs that match; empty: every verb.'),
    resources: listOf(
      struct(
        {
          group: string('API group; empty: the core group.'),
          resources: stringList(
            'Patterns such as name, name/subresource, *, name/* and */subresource; empty: everything.',
          ),
          resourceNames: stringList('Names of objects; empty: all.'),
        },
        'Resources of one group.',
      ),
      'Resources that match; empty: everything.',
    ),
    resourceNames: stringList('Names of objects; requires resources. Empty: all.'),
    namespaces: stringList(
      'Namespaces that match; an empty string: requests without a namespace; empty: every namespace.',
    ),
    nonResourceURLs: stringList('Matching paths; * is allowed only as the last step.'),
    requestTargets: stringList('Targets of requests that match; empty: every request.'),
    cluster: string('If set, only requests to this cluster match.'),
    virtualClusters: listOf(
      struct(
        {
          name: string('Name of the virtual cluster.'),
          namespace: string('Namespace of the virtual cluster.'),
        },
        'A virtual cluster.',
      ),
      'Virtual clusters that match; empty: all.',
    ),
  },
  'Rule for requests. A request matches if all given parts match.',
)

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
