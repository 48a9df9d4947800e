import { managementGroup, type NamesProfile } from '../../meta/names/namesProfile.ts'
import type { Schema } from '../../meta/schema.ts'
import { definitionName, listOf, struct, string, stringList, time } from '../schema.ts'

/** Schemas used by several management kinds. Source: specification, per kind; platform facts 1.1. */

function shapeName(names: NamesProfile, name: string): string {
  return definitionName(managementGroup(names), 'v1', name)
}

export function ownerSchema(names: NamesProfile): Schema {
  return struct(
    { user: string('Name of the owning user.'), team: string('Name of the owning team.') },
    'Owner of the object: a user or a team.',
    { definition: shapeName(names, 'UserOrTeam'), omitEmpty: true },
  )
}

export function accessSchema(names: NamesProfile): Schema {
  return listOf(
    struct(
      {
        name: string('Optional name of the rule.'),
        verbs: stringList('Verbs that apply to all kinds in the rule; * means every verb.'),
        subresources: stringList('Subresources that the rule extends to.'),
        users: stringList('Users who are granted the verbs; * means every user.'),
        teams: stringList('Teams that are granted the verbs; * means every team.'),
      },
      'One rule of access rights for users and teams.',
      { definition: shapeName(names, 'Access'), required: ['verbs'] },
    ),
    'Access rights for users and teams, transformed into roles and role bindings.',
  )
}

export function secretRefSchema(names: NamesProfile, description: string): Schema {
  return struct(
    {
      secretName: string('Name of the secret.'),
      secretNamespace: string('Namespace of the secret.'),
      key: string('Key in the data of the secret.'),
    },
    description,
    { definition: shapeName(names, 'SecretRef'), omitEmpty: true },
  )
}

export function kindSecretRefSchema(names: NamesProfile): Schema {
  return struct(
    {
      apiGroup: string('API group of the secret; empty for the core group.'),
      kind: string('Kind of the secret.'),
      secretName: string('Name of the secret.'),
      secretNamespace: string('Namespace of the secret.'),
      key: string('Key in the data of the secret.'),
    },
    'Reference to a secret of a given kind.',
    { definition: shapeName(names, 'KindSecretRef') },
  )
}

export function conditionsSchema(names: NamesProfile): Schema {
  return listOf(
    struct(
      {
        type: { type: 'string', description: 'Type of the condition, in CamelCase.' },
        status: { type: 'string', description: 'True, False or Unknown.' },
        severity: string('Error, Warning or Info; set only when the status is False.'),
        lastTransitionTime: time('Time of the last change of the condition.'),
        reason: string('Reason for the last change, in CamelCase.'),
        message: string('Human-readable details of the last change.'),
      },
      'A condition of the object.',
      { definition: shapeName(names, 'Condition'), required: ['type', 'status'] },
    ),
    'Conditions of the object.',
  )
}
