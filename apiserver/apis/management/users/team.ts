import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { listLength, textColumn } from '../../columns.ts'
import { listOf, struct, string, stringList } from '../../schema.ts'
import { accessErrors } from '../accessRules.ts'
import { identityAnswers } from './identityAnswers.ts'
import { storedKind } from '../managementKind.ts'
import { fillOwner } from '../fillOwner.ts'
import type { Platform } from '../platform.ts'
import { accessSchema, kindSecretRefSchema, ownerSchema } from '../sharedShapes.ts'

/** Kind for groups of users with common rights. Source: platform facts 3.3, "Team". */
export function teamResource(platform: Platform): ResourceDefinition {
  const { names } = platform
  const kind = storedKind({
    names,
    kind: 'Team',
    plural: 'teams',
    description: 'Team is a group of users with common permissions.',
    fields: {
      spec: struct(teamFields(names), 'Desired state of the team.'),
      status: struct({}, 'Observed state of the team.'),
    },
  })
  return {
    ...kind,
    strategy: {
      ...kind.strategy,
      prepareForCreate: fillOwner,
      validate: (object) => accessErrors(object),
      validateUpdate: (object) => accessErrors(object),
    },
    subresources: identityAnswers(platform, 'teams'),
    columns: [
      nameColumn,
      textColumn('Display Name', 'spec.displayName', 'Name shown in the UI.'),
      {
        name: 'Users',
        type: 'integer',
        description: 'Number of users listed; groups can add more.',
        cell: (object) => listLength(object, 'spec.users'),
      },
      ageColumn,
    ],
  }
}

function teamFields(names: NamesProfile) {
  return {
    displayName: string('Name shown in the UI.'),
    description: string('Describes the team.'),
    owner: ownerSchema(names),
    username: string('Name of the team in place of a user name.'),
    users: stringList('Names of the users who belong to the team.'),
    groups: stringList('Groups whose members belong to the team.'),
    imagePullSecrets: listOf(
      kindSecretRefSchema(names),
      'Secret references to image pull secrets the team may use.',
    ),
    clusterRoles: listOf(
      struct({ name: string('Cluster role to assign.') }, 'A cluster role of the team.'),
      'Cluster roles the team has.',
    ),
    access: accessSchema(names),
  }
}
