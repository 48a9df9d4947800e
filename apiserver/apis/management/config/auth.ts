import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import {
  flag,
  integer,
  listOf,
  mapOf,
  secretString,
  struct,
  string,
  stringList,
  urlList,
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
        { disabled: flag('Whether login with a password is disabled.') },
        'Login with a password.',
      ),
      connectors: listOf(connectorEntry(names, connectors), 'Further connectors.'),
      disableTeamCreation: flag('Whether logins create no teams for new groups.'),
      disableUserCreation: flag('Whether a first login creates no user.'),
      preparedAccountsBySubject: stringList(
        'Ids of connectors whose users are linked, at their first login, to the existing account with their subject, if nobody has logged in to it and it is not an administrator.',
      ),
      redirectURIs: urlList(
        'http',
        "Addresses of other web applications that a login may return to with a code, each as a whole: https, or http on the user's own machine.",
      ),
      accessKeyMaxTTLSeconds: {
        ...integer('Maximum time to live of access keys in seconds; 0: no limit.'),
        minimum: 0,
      },
      loginAccessKeyTTLSeconds: {
        ...integer(
          'Time to live of access keys created by logins, in seconds; 0: no limit; unset: 20 days.',
        ),
        minimum: 0,
        omitEmpty: false,
        default: loginAccessKeyTTLSeconds,
      },
      customHttpHeaders: mapOf(
        { type: 'string' },
        'Headers added to every response of the login paths.',
      ),
      groupsFilters: stringList(
        'Regular expressions; only matching groups are stored with the user. Empty: all groups.',
      ),
    },
    'Login methods, and lifetimes of access keys.',
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
      id: string('Id of the connector, part of its login URLs.'),
      displayName: string('Name shown in the UI.'),
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
      bearerToken: secretString(
        'Bearer token of the cluster manager: name and secret of the token, joined.',
      ),
      insecure: flag("Whether the cluster manager's certificate is not validated."),
    },
    `Login through a cluster manager (${names.clusterManager}).`,
    { omitEmpty: true },
  )
}
