import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { flag, string, stringList } from '../../schema.ts'
import { clientFields } from './gitConnectors.ts'
import { shape } from './shape.ts'

/** Login through the two identity providers. Source: specification, "status.auth". */
export function identityConnectorSchemas(names: NamesProfile): Record<string, Schema> {
  return { [names.identityA]: identityA(names), [names.identityB]: identityB(names) }
}

function identityA(names: NamesProfile): Schema {
  return shape(
    names,
    'AuthenticationIdentityA',
    {
      ...clientFields(),
      scopes: {
        ...stringList('Requested scopes; empty: profile and email.'),
        default: ['profile', 'email'],
      },
      hostedDomains: stringList('Domains whose users may log in; empty: all.'),
      groups: stringList('Groups whose members may log in; empty: everybody.'),
      serviceAccountFilePath: string(
        'Path of the key file of a service account, which looks up groups in the directory.',
      ),
      adminEmail: string(
        'Administrator impersonated by the service account. Required with serviceAccountFilePath.',
      ),
    },
    'Login through a web identity provider.',
  )
}

function identityB(names: NamesProfile): Schema {
  return shape(
    names,
    'AuthenticationIdentityB',
    {
      ...clientFields(),
      tenant: {
        ...string('common, consumers, organizations, or the id or name of a tenant.'),
        default: 'common',
      },
      groups: stringList('Groups whose members may log in; empty: everybody.'),
      onlySecurityGroups: flag('Whether only security groups are used.'),
      useGroupsAsWhitelist: flag('Whether users get only the groups listed in groups.'),
    },
    'Login through a directory with tenants.',
  )
}
