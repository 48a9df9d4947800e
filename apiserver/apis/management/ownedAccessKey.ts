import { invalidField, requiredField, type FieldError } from '../../meta/fieldErrors.ts'
import { managementGroup, type NamesProfile } from '../../meta/namesProfile.ts'
import type { Schema } from '../../meta/schema.ts'
import type { Random } from '../../meta/clock.ts'
import type { ApiObject } from '../../meta/types.ts'
import {
  generateAccessKey,
  isStoredAccessKey,
  storedAccessKey,
} from '../../authentication/accessKeyForm.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { textColumn } from '../columns.ts'
import {
  bytes,
  definitionName,
  flag,
  integer,
  listOf,
  mapOf,
  struct,
  text,
  textList,
  time,
} from '../schema.ts'
import { scopeSchema } from './scope.ts'

/** The types an access key can be of; empty: none was given. Source: platform facts 1.4. */
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

/** A key that authenticates against the API. Source: specification, "OwnedAccessKey"; platform facts 1.4. */
export function ownedAccessKeyResource(names: NamesProfile, random: Random): ResourceDefinition {
  const group = managementGroup(names)
  const prepared = new WeakMap<ApiObject, string>()
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
        spec: struct(keyFields(names), 'What the key should be.'),
        status: struct(
          { lastActivity: time('When the key was last used to access the API.') },
          'What the key is.',
        ),
      },
      'OwnedAccessKey is a key that authenticates against the API, as a bearer token.',
      { definition: definitionName(group, 'v1', 'OwnedAccessKey') },
    ),
    strategy: {
      generation: 'specAndAnnotations',
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: true,
      prepareForCreate: (object) => {
        const spec = specOf(object)
        const given = typeof spec.key === 'string' ? spec.key : ''
        const key = given === '' ? generateAccessKey(random) : given
        if (!isStoredAccessKey(key)) prepared.set(object, key)
        spec.key = storedAccessKey(key)
      },
      prepareForUpdate: (next, old) => {
        const spec = specOf(next)
        const key = typeof spec.key === 'string' ? spec.key : ''
        spec.key = key === '' ? (specOf(old).key ?? '') : storedAccessKey(key)
      },
      validate: keyErrors,
      validateUpdate: keyErrors,
      revealToCreator: (created, object) => {
        const key = prepared.get(object)
        if (key !== undefined) specOf(created).key = key
      },
    },
    columns: [
      nameColumn,
      textColumn('User', 'spec.user', 'The user the key belongs to.'),
      textColumn('Team', 'spec.team', 'The team the key belongs to.'),
      textColumn('Type', 'spec.type', 'Who manages the key.'),
      { ...textColumn('Display Name', 'spec.displayName', 'Name shown in the UI.'), priority: 1 },
      ageColumn,
    ],
  }
}

interface KeySpec {
  key?: string
  user?: string
  team?: string
  subject?: string
  ttl?: number
}

function specOf(object: ApiObject): KeySpec {
  // The store gives every object with a spec field one; the schema check refuses other types later.
  return object['spec'] as KeySpec
}

function keyErrors(object: ApiObject): FieldError[] {
  const { user, team, subject, ttl } = specOf(object)
  const errors: FieldError[] = []
  if (user === undefined && team === undefined && subject === undefined) {
    errors.push(requiredField('spec.user', 'one of user, team or subject is needed'))
  }
  if (user !== undefined && team !== undefined) {
    errors.push(
      invalidField('spec.team', team, 'a key belongs to a user or to a team, not to both'),
    )
  }
  if (ttl !== undefined && ttl < 0) {
    errors.push(invalidField('spec.ttl', ttl, 'must be greater than or equal to 0'))
  }
  return errors
}

function keyFields(names: NamesProfile): Record<string, Schema> {
  return {
    displayName: text('Name shown in the UI.'),
    description: text('Describes the key.'),
    user: text('The user the key refers to.'),
    team: text('The team the key refers to.'),
    subject: text('Generic subject usable instead of user or team.'),
    groups: textList('Extra groups applied when the key is used.'),
    key: text(
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
        idToken: bytes('ID token.'),
        accessToken: bytes('Access token.'),
        refreshToken: bytes('Refresh token.'),
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
      connectorData: bytes('Data of the connector; never returned through the API.'),
      identityRefresh: time('When the identity was last refreshed.'),
    },
    'Single sign-on login data, if available.',
    { omitEmpty: true },
  )
}
