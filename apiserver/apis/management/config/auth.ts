import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import {
  flag,
  integer,
  listOf,
  mapOf,
  secretText,
  struct,
  text,
  textList,
  url,
} from '../../schema.ts'
import { gitConnectorSchemas } from './gitConnectors.ts'
import { identityConnectorSchemas } from './identityConnectors.ts'
import { oidcConnectorSchema } from './oidcConnector.ts'
import { samlConnectorSchema } from './samlConnector.ts'
import { shape } from './shape.ts'

const loginAccessKeyTTLSeconds = 20 * 24 * 60 * 60

/** Settings of logins and of key lifetimes. Source: specification, "status.auth"; "Limits". */
export function authSchema(names: NamesProfile): Schema {
  const connectors = connectorSchemas(names)
  const auth = shape(
    names,
    'ConfigAuth',
    {
      ...connectors,
      [names.clusterManager]: clusterManager(names),
      password: shape(
        names,
        'AuthenticationPassword',
        { disabled: flag('Whether nobody can log in with a password.') },
        'Login with a password.',
      ),
      connectors: listOf(connectorEntry(names, connectors), 'Further connectors.'),
      disableTeamCreation: flag('Whether no teams are made for new groups at a login.'),
      disableUserCreation: flag('Whether no user is made at a first login.'),
      preparedAccountsBySubject: textList(
        'Ids of connectors. At the first login of one of their users, the account that was made with the subject of that user is taken, if nobody has come into it before and it is not an administrator.',
      ),
      accessKeyMaxTTLSeconds: {
        ...integer('Longest time to live of any access key, in seconds; 0: no limit.'),
        minimum: 0,
      },
      loginAccessKeyTTLSeconds: {
        ...integer(
          'How long a key made by a login is kept, in seconds; 0: no limit; not set: 20 days.',
        ),
        minimum: 0,
        omitEmpty: false,
        default: loginAccessKeyTTLSeconds,
      },
      customHttpHeaders: mapOf({ type: 'string' }, 'Headers of every answer of the login paths.'),
      groupsFilters: textList(
        'Regular expressions; only groups that match one are kept with the user. Empty: all are.',
      ),
    },
    'How users log in, and how long access keys live.',
  )
  return { ...auth, default: {} }
}

function connectorSchemas(names: NamesProfile): Record<string, Schema> {
  return {
    oidc: oidcConnectorSchema(names),
    ...gitConnectorSchemas(names),
    ...identityConnectorSchemas(names),
    saml: samlConnectorSchema(names),
  }
}

function connectorEntry(names: NamesProfile, connectors: Record<string, Schema>): Schema {
  const entry = shape(
    names,
    'Connector',
    {
      id: text('Id of the connector, which the addresses of its login show.'),
      displayName: text('Name shown in the UI.'),
      ...connectors,
    },
    'A connector: an id and the settings of one provider.',
  )
  return { ...entry, omitEmpty: false }
}

function clusterManager(names: NamesProfile): Schema {
  return struct(
    {
      host: url('httpHost', 'Host of the cluster manager.'),
      bearerToken: secretText('Name and secret of a token of the cluster manager, joined.'),
      insecure: flag("Whether the cluster manager's certificate is not validated."),
    },
    `Login through a cluster manager (${names.clusterManager}).`,
    { omitEmpty: true },
  )
}
