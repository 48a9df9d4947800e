type Fields = Record<string, unknown>

/** Write that would gain the rights of another user. */
export interface Attack {
  /** Fields written into the existing object; absent: the field only matters in new objects. */
  update?: Fields
  /**
   * Fields written into a new object; default: the same. `none`: new objects may have the field.
   */
  create?: Fields | 'none'
  /** Name of the attacked object. Default `boss`. */
  target?: string
  /** Expected status; default 403. */
  code?: number
}

/** Field that only the server writes: the value in the attack has no effect. */
export interface Ignored {
  update: Fields
  subresource?: string
}

const spec = (fields: Fields): Fields => ({ spec: fields })
const annotated = (name: string, value: string): Fields => ({
  metadata: { annotations: { [`platform/${name}`]: value } },
})
const foreign = { secretName: 'registry', secretNamespace: 'default', key: 'password' }

const owner: Attack = {
  update: spec({ owner: { user: 'mallory' } }),
  create: spec({ owner: { user: 'boss' } }),
}
const access: Attack = {
  update: spec({ access: [{ verbs: ['*'], users: ['mallory'] }] }),
  create: spec({ access: [{ verbs: ['*'], users: ['boss'] }] }),
}
const clusterRoles: Attack = { update: spec({ clusterRoles: [{ name: 'cluster-admin' }] }) }
const pullSecrets: Attack = { update: spec({ imagePullSecrets: [foreign] }) }
const shared = { 'spec.owner': owner, 'spec.access': access }
const inside = (fields: Fields): Attack => ({ update: spec(fields), create: 'none' })
const rules = { access: { rules: [{ users: ['mallory'], clusterRole: 'cluster-admin' }] } }
const instance = {
  ...shared,
  'spec.template': inside({ template: rules }),
  'spec.templateRef': { update: spec({ templateRef: { name: 'unlisted' } }) },
  'spec.clusterRef': { update: spec({ clusterRef: { cluster: 'unlisted' } }) },
  'spec.extraAccessRules': inside({
    extraAccessRules: [{ users: ['mallory'], clusterRole: 'cluster-admin' }],
  }),
}
const template = {
  ...shared,
  'spec.template': inside({ template: rules }),
  'spec.versions': inside({ versions: [{ version: '1', template: rules }] }),
}
const place: Attack = {
  update: {
    metadata: {
      annotations: {
        'platform/secretStore-kv-version': 'kv2',
        'platform/secretStore-kv-mount-path': 'secret',
        'platform/secretStore-kv-secret-path': 'of/boss',
      },
    },
  },
}
const storePlace = {
  'annotations.<secretStore>-kv-version': place,
  'annotations.<secretStore>-kv-mount-path': place,
  'annotations.<secretStore>-kv-secret-path': place,
}
const takes: Attack = {
  update: {
    metadata: {
      labels: {
        'platform/sharedsecret-name': 'boss',
        'platform/sharedsecret-namespace': 'default',
      },
    },
  },
}
const own = (fields: Fields): Attack => ({ update: spec(fields), target: 'mallory' })

/** Attack on every guarded path of the table. */
export const attacks: Readonly<Record<string, Readonly<Record<string, Attack>>>> = {
  users: {
    ...shared,
    'metadata.name': { create: { metadata: { name: 'bound' } } },
    'spec.username': { update: spec({ username: ' Victim ' }), code: 409 },
    'spec.email': { update: spec({ email: 'Victim@corp.test' }), code: 409 },
    'spec.subject': {
      update: spec({ subject: 'mallory' }),
      create: spec({ subject: 'victim-subject' }),
    },
    'spec.groups': { update: spec({ groups: ['bound-group'] }) },
    'spec.ssoGroups': { update: spec({ ssoGroups: ['bound-group'] }) },
    'spec.clusterRoles': clusterRoles,
    'spec.passwordRef': { update: spec({ passwordRef: foreign }) },
    'spec.codesRef': { update: spec({ codesRef: foreign }) },
    'spec.imagePullSecrets': pullSecrets,
    'spec.tokenGeneration': { update: spec({ tokenGeneration: 4 }), create: 'none' },
    'spec.extraClaims': { update: spec({ extraClaims: { department: 'board' } }) },
    'annotations.sso-identity': { update: annotated('sso-identity', 'oidc:mallory') },
    'annotations.sso-connector': { update: annotated('sso-connector', 'oidc') },
  },
  teams: {
    ...shared,
    'metadata.name': { create: { metadata: { name: 'bound' } } },
    'spec.users': inside({ users: ['mallory'] }),
    'spec.groups': inside({ groups: ['of-mallory'] }),
    'spec.clusterRoles': clusterRoles,
    'spec.imagePullSecrets': pullSecrets,
  },
  ownedaccesskeys: {
    'spec.user': own({ user: 'boss' }),
    'spec.team': own({ user: '', team: 'boss' }),
    'spec.subject': own({ subject: 'victim-subject' }),
    'spec.groups': own({ groups: ['system:masters'] }),
    'spec.key': { update: spec({ key: 'known to mallory' }), create: spec({ user: 'boss' }) },
    'spec.identity': own({ identity: { userId: 'boss', emailVerified: true } }),
    'spec.identityRefresh': own({ identityRefresh: '2026-01-01T00:00:00Z' }),
    'spec.oidcProvider': own({ oidcProvider: { clientId: 'dashboards' } }),
    'spec.oidcLogin': own({ oidcLogin: { idToken: 'aWQ=' } }),
  },
  projects: {
    ...shared,
    'spec.members': {
      update: spec({ members: [{ kind: 'User', name: 'mallory', clusterRole: 'cluster-admin' }] }),
    },
  },
  clusters: {
    ...shared,
    'spec.config': { update: spec({ config: foreign }) },
    ...Object.fromEntries(
      [
        ...['ingress-suffix', 'direct-cluster-endpoint'],
        ...['direct-cluster-endpoint-insecure', 'direct-cluster-endpoint-ca-data'],
      ].map((name) => [
        `annotations.${name}`,
        { update: annotated(name, 'evil.test'), create: 'none' },
      ]),
    ),
  },
  virtualclusterinstances: instance,
  spaceinstances: instance,
  virtualclustertemplates: template,
  spacetemplates: template,
  sharedsecrets: { ...shared, ...storePlace },
  projectsecrets: {
    ...shared,
    ...storePlace,
    'labels.sharedsecret-name': takes,
    'labels.sharedsecret-namespace': takes,
  },
}

/** Attacks on fields that only the server writes. */
export const ignored: Readonly<Record<string, Readonly<Record<string, Ignored>>>> = {
  users: {
    'status.teams': { update: { status: { teams: ['boss'] } } },
    'annotations.email-origin': { update: annotated('email-origin', 'provider') },
  },
  ownedaccesskeys: {
    'metadata.ownerReferences': {
      update: {
        metadata: {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'Namespace', name: 'boss', uid: 'none', controller: true },
          ],
        },
      },
    },
    'annotations.token-generation': { update: annotated('token-generation', '7') },
    'annotations.service-account-uid': { update: annotated('service-account-uid', 'u') },
  },
  virtualclusterinstances: {
    'status.virtualCluster': {
      update: { status: { virtualCluster: { access: { defaultClusterRole: 'cluster-admin' } } } },
      subresource: '/status',
    },
  },
  spaceinstances: {
    'status.space': {
      update: { status: { space: { access: { defaultClusterRole: 'cluster-admin' } } } },
      subresource: '/status',
    },
  },
  sharedsecrets: {
    'annotations.<secretStore>-kv-synced': { update: annotated('secretStore-kv-synced', '{}') },
  },
  projectsecrets: {
    'annotations.<secretStore>-kv-synced': { update: annotated('secretStore-kv-synced', '{}') },
    'annotations.sharedsecret-grantor': {
      update: annotated('sharedsecret-grantor', '{"name":"boss","groups":["system:masters"]}'),
    },
    'annotations.sharedsecret-uid': { update: annotated('sharedsecret-uid', 'u') },
  },
}

/** Paths with separate tests, because they need another caller. */
export const attackedElsewhere: Readonly<Record<string, string>> = {
  'ownedaccesskeys spec.scope': 'test/apis/management/ownedAccessKeyRights.test.ts',
  'ownedaccesskeys spec.type': 'test/apis/management/ownedAccessKeyRights.test.ts',
  'users/profile username': 'test/endpoints/access/accountEntry.test.ts',
  'users/profile email': 'test/endpoints/access/accountEntry.test.ts',
  'users/profile password': 'test/endpoints/access/accountEntry.test.ts',
}
