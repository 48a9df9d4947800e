import type { AccessKeyLimits } from '../../../authentication/accessKeys/accessKeyLifetime.ts'
import type { Random } from '../../../meta/clock.ts'
import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { flagColumn, textColumn, wide } from '../../columns.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { definitionName, struct, time } from '../../schema.ts'
import { accessKeySpecSchema } from './accessKeyFields.ts'
import { accessKeyStrategy } from './accessKeyStrategy.ts'

/**
 * A key that authenticates against the API. `limits` returns the platform's current limits.
 * Source: specification, "OwnedAccessKey"; platform facts 1.4.
 */
export function ownedAccessKeyResource(
  names: NamesProfile,
  random: Random,
  access: PlaneAccess,
  rules: () => AccessKeyLimits & { maxKeys?: number },
): ResourceDefinition {
  const group = managementGroup(names)
  return {
    group,
    version: 'v1',
    plural: 'ownedaccesskeys',
    singular: 'ownedaccesskey',
    kind: 'OwnedAccessKey',
    namespaced: false,
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    schema: struct(
      {
        spec: accessKeySpecSchema(names),
        status: struct(
          { lastActivity: time('Time of the last request with the key.') },
          'Observed state of the key.',
        ),
      },
      'OwnedAccessKey is a key that authenticates against the API, as a bearer token.',
      { definition: definitionName(group, 'v1', 'OwnedAccessKey') },
    ),
    strategy: accessKeyStrategy({
      names,
      random,
      access,
      limits: rules,
      maxKeys: () => rules().maxKeys ?? 0,
    }),
    columns: [
      nameColumn,
      textColumn('User', 'spec.user', 'The user the key belongs to.'),
      textColumn('Team', 'spec.team', 'The team the key belongs to.'),
      textColumn('Type', 'spec.type', 'Manager of the key.'),
      wide(textColumn('Display Name', 'spec.displayName', 'Name shown in the UI.')),
      wide(flagColumn('Disabled', 'spec.disabled', 'Whether the key gives no access.')),
      wide(textColumn('Last Activity', 'status.lastActivity', 'Time of the last use of the key.')),
      ageColumn,
    ],
  }
}
