import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { flag, listOf, struct, string, stringList } from '../../schema.ts'
import { opaque } from '../managementKind.ts'
import { accessSchema, conditionsSchema, ownerSchema } from '../sharedShapes.ts'

/** Schemas common to virtual clusters and spaces of a project. Source: platform facts 3.2, 3.3. */

type Fields = Record<string, Schema>

/** First fields of every instance's spec. */
export function instanceFields(names: NamesProfile): Fields {
  return {
    displayName: string('Name shown in the UI.'),
    description: string('Describes the instance.'),
    owner: ownerSchema(names),
    templateRef: struct(
      {
        name: string('Name of the template.'),
        version: string('Version of the template; empty: the newest.'),
        syncOnce: flag(
          'Whether changes of the template are ignored once the instance has been created from it.',
        ),
      },
      'Template of the instance.',
      { omitEmpty: true },
    ),
  }
}

/** Last fields of every instance's spec, after the kind's own. */
export function instanceAccessFields(names: NamesProfile): Fields {
  return {
    parameters: string('Values of the parameters of the template, as a YAML document.'),
    extraAccessRules: listOf(
      struct(
        {
          users: stringList('Users that the rule matches; * means every user.'),
          teams: stringList('Teams that the rule matches; * means every team.'),
          clusterRole: string('Cluster role inside the instance.'),
        },
        'A rule for access within the instance.',
      ),
      'Cluster roles of users and teams inside the instance.',
    ),
    access: accessSchema(names),
  }
}

/** First fields of every instance's status. */
export function instanceStatusFields(names: NamesProfile): Fields {
  return {
    phase: string('Phase of the instance: Pending, Ready, Sleeping, Failed and others.'),
    reason: string('Reason for the phase, in CamelCase.'),
    message: string('Human-readable explanation of the phase.'),
    conditions: conditionsSchema(names),
  }
}

/** Fields added by a read with `extended=true`. */
export function extendedStatusFields(): Fields {
  return {
    sleepModeConfig: opaque('Sleep mode of the instance.'),
    canUse: flag('Whether the requesting user may use the instance; set with extended=true.'),
    canUpdate: flag('Whether the requesting user may update the instance; set with extended=true.'),
  }
}
