/** What keeps a field from giving rights that its writer does not have:
 *  - `owner`, `access`, `clusterRoles`, `members`, `groups`, `teamMembers`: nobody gives what they do not have.
 *  - `subject`: another name is impersonation.
 *  - `newName`: a new name that something was given to before is impersonation.
 *  - `entry`: whoever sets what an account is entered by can be that account.
 *  - `claims`, `link`: what other programs are told of a user, and whose logins lead into an account, is not for its user to
 *    say.
 *  - `secrets`: a reference to a Secret needs the right to it.
 *  - `inside`, `place`: for owners, and for whoever may do everything with the object.
 *  - `ownRule`: the strategy of the kind has a rule of its own.
 *  - `server`: the server alone writes it. */
export type RightsGuard = (typeof checkedGuards)[number] | 'ownRule' | 'server'

/** Those that AccessCheck runs. */
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

/** By path; `annotations` and `labels` by their name behind the platform's domain. */
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

/** Every way to somebody else's rights that leads through an object of the management API, by plural, with its guard. A
 *  field that is in neither table fails the tests. */
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

/** The guards that a kind needs, for whatever path. */
export function guardsOf(plural: string): ReadonlySet<RightsGuard> {
  return new Set(Object.values(rightsTable[plural] ?? {}).flat())
}

/** The annotations of a kind that a guard is for, by whole name. */
export function guardedAnnotations(plural: string, guard: RightsGuard, domain: string): string[] {
  const prefix = 'annotations.'
  return Object.entries(rightsTable[plural] ?? {}).flatMap(([path, guards]) =>
    path.startsWith(prefix) && guards.includes(guard)
      ? [`${domain}/${path.slice(prefix.length)}`]
      : [],
  )
}
