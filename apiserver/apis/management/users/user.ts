import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { AnsweredSubresource, ResourceDefinition } from '../../../registry/resource.ts'
import { nameColumn, ageColumn } from '../../../registry/table.ts'
import {
  definitionName,
  exactInteger,
  flag,
  listOf,
  mapOf,
  struct,
  string,
  stringList,
} from '../../schema.ts'
import { flagColumn, textColumn, wide } from '../../columns.ts'
import { accessSchema, kindSecretRefSchema, ownerSchema, secretRefSchema } from '../sharedShapes.ts'
import { accessErrors } from '../accessRules.ts'

/** A person who can access the platform. Source: specification, "User"; platform facts 1.3. */
export function userResource(
  names: NamesProfile,
  subresources: readonly AnsweredSubresource[] = [],
): ResourceDefinition {
  const group = managementGroup(names)
  return {
    group,
    version: 'v1',
    plural: 'users',
    singular: 'user',
    kind: 'User',
    namespaced: false,
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    schema: struct(
      {
        spec: struct(userFields(names), 'Desired state of the user.'),
        status: struct(
          { teams: stringList('Teams the user is in.') },
          'Observed state of the user.',
        ),
      },
      'User holds the user information.',
      { definition: definitionName(group, 'v1', 'User') },
    ),
    strategy: {
      generation: 'specAndAnnotations',
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: true,
      validate: (object) => accessErrors(object),
      validateUpdate: (object) => accessErrors(object),
    },
    visible: true,
    subresources,
    selectableFields: {
      'spec.username': (object) => specText(object, 'username'),
      'spec.subject': (object) => specText(object, 'subject'),
    },
    columns: [
      nameColumn,
      textColumn('Username', 'spec.username', 'Name used to log in.'),
      textColumn('Email', 'spec.email', "The user's email address."),
      wide(textColumn('Display Name', 'spec.displayName', 'Name shown in the UI.')),
      wide(flagColumn('Disabled', 'spec.disabled', 'Whether the user is disabled.')),
      ageColumn,
    ],
  }
}

function userFields(names: NamesProfile) {
  return {
    displayName: string('Name shown in the UI.'),
    description: string('Describes the user.'),
    owner: ownerSchema(names),
    username: string('Name used to log in.'),
    icon: string('URL of an icon shown for the user.'),
    email: string("The user's email address."),
    subject: string('The user subject as presented by the token.'),
    groups: stringList('Groups the user has access to.'),
    ssoGroups: stringList('Groups remembered from single sign-on.'),
    passwordRef: secretRefSchema(names, 'Reference to the user password.'),
    codesRef: secretRefSchema(names, "Reference to the user's access keys."),
    imagePullSecrets: listOf(
      kindSecretRefSchema(names),
      'Secret references to image pull secrets the user may use.',
    ),
    tokenGeneration: exactInteger('Changing it invalidates all user tokens.'),
    disabled: flag(
      'When true the user can no longer log in; other user resources stay unaffected.',
    ),
    clusterRoles: listOf(
      struct({ name: string('Cluster role to assign.') }, 'A cluster role of the user.'),
      'Cluster roles the user has.',
    ),
    access: accessSchema(names),
    extraClaims: mapOf({ type: 'string' }, 'Additional claims added by an administrator.'),
  }
}

function specText(object: { [field: string]: unknown }, field: string): string {
  // Guaranteed by the schema; a field other than a string is not selectable.
  const value = (object['spec'] as Record<string, unknown> | undefined)?.[field]
  return typeof value === 'string' ? value : ''
}
