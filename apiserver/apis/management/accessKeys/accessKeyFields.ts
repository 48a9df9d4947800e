import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import {
  bytes,
  definitionName,
  flag,
  integer,
  listOf,
  mapOf,
  secret,
  secretText,
  struct,
  text,
  textList,
  time,
} from '../../schema.ts'
import { scopeSchema } from './scope.ts'

/** Types of access keys; empty: none given. Source: platform facts 1.4. */
const keyTypes = [
  '',
  'Login',
  'User',
  'Other',
  'Reset',
  'OIDCRefreshToken',
  'NetworkPeer',
  'Workspace',
]

/** The fields of an access key. */
export function accessKeySpecSchema(names: NamesProfile): Schema {
  return struct(keyFields(names), 'What the key should be.', {
    definition: definitionName(managementGroup(names), 'v1', 'AccessKeySpec'),
  })
}

function keyFields(names: NamesProfile): Record<string, Schema> {
  return {
    displayName: text('Name shown in the UI.'),
    description: text('Describes the key.'),
    user: text('The user the key refers to.'),
    team: text('The team the key refers to.'),
    subject: text('Generic subject usable instead of user or team.'),
    groups: textList('Extra groups applied when the key is used.'),
    key: secretText(
      'The access key, used as a bearer token. Made by the server when empty; shown to its creator once, and as a digest from then on.',
    ),
    disabled: flag('When true the key still exists but does not grant API access.'),
    ttl: integer('Time to live of the key in seconds; 0: no limit.'),
    ttlAfterLastActivity: flag('The time to live starts at the last activity instead of creation.'),
    scope: scopeSchema(names),
    type: {
      ...text('Whether the key is managed by the user or by the platform itself.'),
      enum: keyTypes,
    },
    identity: identitySchema(),
    identityRefresh: time('When the identity was last refreshed.'),
    oidcProvider: struct(
      {
        clientId: text('Client the token was issued to.'),
        nonce: text('Nonce of the login.'),
        redirectUri: text('Where the login was sent back to.'),
        scopes: text('Scopes of the token, in one text.'),
      },
      'Present if the token is a refresh token.',
      { omitEmpty: true },
    ),
    parent: text('Deprecated. Shares external token information between keys.'),
    oidcLogin: struct(
      {
        idToken: secret(bytes('ID token.')),
        accessToken: secret(bytes('Access token.')),
        refreshToken: secret(bytes('Refresh token.')),
        lastRefresh: time('When the tokens were last refreshed.'),
      },
      'Deprecated: use identity.',
      { omitEmpty: true },
    ),
  }
}

function identitySchema(): Schema {
  return struct(
    {
      userId: text('Subject of the user at the provider.'),
      username: text('User name at the provider.'),
      preferredUsername: text('Preferred user name at the provider.'),
      email: text('Email address at the provider.'),
      emailVerified: flag('Whether the provider verified the address.'),
      extraClaims: mapOf(
        { type: 'string' },
        'Additional claims that the authentication settings allow.',
      ),
      groups: listOf({ type: 'string' }, 'Groups at the provider.'),
      connector: text('Name of the connector the key came from.'),
      connectorData: secret(bytes('Data of the connector; never returned through the API.')),
      identityRefresh: time('When the identity was last refreshed.'),
    },
    'Single sign-on login data, if available.',
    { omitEmpty: true },
  )
}
