import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { flag, text, textList } from '../../schema.ts'
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
        ...textList('Requested scopes; empty: profile and email.'),
        default: ['profile', 'email'],
      },
      hostedDomains: textList('Domains whose users may log in; empty: all.'),
      groups: textList('Groups whose members may log in; empty: everybody.'),
      serviceAccountFilePath: text(
        'Path of the key file of a service account, which looks up groups in the directory.',
      ),
      adminEmail: text(
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
        ...text('common, consumers, organizations, or the id or name of a tenant.'),
        default: 'common',
      },
      groups: textList('Groups whose members may log in; empty: everybody.'),
      onlySecurityGroups: flag('Whether only security groups are used.'),
      useGroupsAsWhitelist: flag('Whether users get only the groups listed in groups.'),
    },
    'Login through a directory with tenants.',
  )
}
