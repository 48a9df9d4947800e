/**
 * Guards that prevent a field from granting rights that its writer lacks:
 * - `owner`, `access`, `clusterRoles`, `members`, `groups`, `teamMembers`: writers can grant only
 * rights that they have.
 * - `subject`: another user's name requires impersonation.
 * - `newName`: a new name that already has rights requires impersonation.
 * - `entry`: a writer who sets the credentials of an account can act as that account.
 * - `claims`, `link`: users cannot set their own claims for other programs, or the provider user
 * linked to their account.
 * - `secrets`: a reference to a Secret requires the right to it.
 * - `inside`, `place`: only for owners, and for users with all rights to the object.
 * - `ownRule`: the strategy of the kind has its own rule.
 * - `server`: only the server writes the field.
 */
export type RightsGuard = (typeof checkedGuards)[number] | 'ownRule' | 'server'

/** Guards run by AccessCheck. */
export const checkedGuards = [
  'owner',
  'access',
  'clusterRoles',
  'members',
  'groups',
  'teamMembers',
  'subject',
  'newName',
  'entry',
  'claims',
  'link',
  'secrets',
  'inside',
  'place',
] as const

export type CheckedGuard = (typeof checkedGuards)[number]

/** Guards by path; `annotations` and `labels` by their name without the platform's domain. */
type Routes = Readonly<Record<string, readonly RightsGuard[]>>

const shared: Routes = { 'spec.owner': ['owner'], 'spec.access': ['access'] }
const template: Routes = { ...shared, 'spec.template': ['inside'], 'spec.versions': ['inside'] }
const instance: Routes = {
  ...shared,
  'spec.template': ['inside'],
  'spec.templateRef': ['ownRule'],
  'spec.clusterRef': ['ownRule'],
  'spec.extraAccessRules': ['inside'],
}
const storePlace: Routes = {
  'annotations.<secretStore>-kv-version': ['ownRule'],
  'annotations.<secretStore>-kv-mount-path': ['ownRule'],
  'annotations.<secretStore>-kv-secret-path': ['ownRule'],
  'annotations.<secretStore>-kv-synced': ['server'],
}

/**
 * All fields of the management API through which a writer could gain or grant rights, by plural,
 * with their guards. A field in neither table fails the tests.
 */
export const rightsTable: Readonly<Record<string, Routes>> = {
  users: {
    ...shared,
    'metadata.name': ['newName'],
    'spec.username': ['ownRule'],
    'spec.email': ['ownRule', 'entry'],
    'spec.subject': ['subject', 'entry'],
    'spec.groups': ['groups'],
    'spec.ssoGroups': ['groups'],
    'spec.clusterRoles': ['clusterRoles'],
    'spec.passwordRef': ['entry', 'secrets'],
    'spec.codesRef': ['entry', 'secrets'],
    'spec.imagePullSecrets': ['secrets'],
    'spec.tokenGeneration': ['entry'],
    'spec.extraClaims': ['claims'],
    'status.teams': ['server'],
    'annotations.sso-identity': ['entry', 'link'],
    'annotations.sso-connector': ['entry', 'link'],
    'annotations.email-origin': ['server'],
  },
  'users/profile': {
    username: ['ownRule'],
    email: ['ownRule', 'entry'],
    password: ['entry'],
  },
  teams: {
    ...shared,
    'metadata.name': ['newName'],
    'spec.users': ['teamMembers'],
    'spec.groups': ['teamMembers'],
    'spec.clusterRoles': ['clusterRoles'],
    'spec.imagePullSecrets': ['secrets'],
  },
  ownedaccesskeys: {
    'metadata.ownerReferences': ['server'],
    'spec.user': ['ownRule'],
    'spec.team': ['ownRule'],
    'spec.subject': ['ownRule'],
    'spec.groups': ['ownRule'],
    'spec.key': ['ownRule'],
    'spec.scope': ['ownRule'],
    'spec.type': ['ownRule'],
    'spec.identity': ['ownRule'],
    'spec.identityRefresh': ['ownRule'],
    'spec.oidcProvider': ['ownRule'],
    'spec.oidcLogin': ['ownRule'],
    'annotations.token-generation': ['server'],
    'annotations.service-account-uid': ['server'],
  },
  projects: { ...shared, 'spec.members': ['members'] },
  clusters: {
    ...shared,
    'spec.config': ['secrets'],
    'annotations.ingress-suffix': ['place'],
    'annotations.direct-cluster-endpoint': ['place'],
    'annotations.direct-cluster-endpoint-insecure': ['place'],
    'annotations.direct-cluster-endpoint-ca-data': ['place'],
  },
  virtualclusterinstances: { ...instance, 'status.virtualCluster': ['server'] },
  spaceinstances: { ...instance, 'status.space': ['server'] },
  virtualclustertemplates: template,
  spacetemplates: template,
  sharedsecrets: { ...shared, ...storePlace },
  projectsecrets: {
    ...shared,
    ...storePlace,
    'labels.sharedsecret-name': ['ownRule'],
    'labels.sharedsecret-namespace': ['ownRule'],
    'annotations.sharedsecret-grantor': ['server'],
    'annotations.sharedsecret-uid': ['server'],
  },
}

/** The guards of a kind, for any path. */
export function guardsOf(plural: string): ReadonlySet<RightsGuard> {
  return new Set(Object.values(rightsTable[plural] ?? {}).flat())
}

/** The annotations of a kind with a guard, by full name. */
export function guardedAnnotations(plural: string, guard: RightsGuard, domain: string): string[] {
  const prefix = 'annotations.'
  return Object.entries(rightsTable[plural] ?? {}).flatMap(([path, guards]) =>
    path.startsWith(prefix) && guards.includes(guard)
      ? [`${domain}/${path.slice(prefix.length)}`]
      : [],
  )
}
