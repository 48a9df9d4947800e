import {
  teamIdentity,
  userIdentity,
  type UserIdentitySpec,
} from '../../../authentication/identity.ts'
import type { Schema } from '../../../meta/schema.ts'
import type { ApiObject, UserInfo } from '../../../meta/types.ts'
import type { AnswerRequest } from '../../../registry/answers.ts'
import type { AnsweredSubresource } from '../../../registry/resource.ts'
import { listOf, struct, string, stringList } from '../../schema.ts'
import { allObjects } from '../../storeReads.ts'
import { specOf as keySpecOf } from '../accessKeys/accessKeySpec.ts'
import { entityInfoSchema, entityNamed } from './entityInfo.ts'
import { answeredKind, answerObject, managementResource, opaque } from '../managementKind.ts'
import { objectPermissionsOf } from './objectPermissions.ts'
import type { Platform } from '../platform.ts'

type Plural = 'users' | 'teams'

/** The user or team of a request. */
interface Asked {
  plural: Plural
  object: ApiObject
  /** The identity for authorization. */
  user: UserInfo
  teams: readonly string[]
  platform: Platform
}

interface Answer {
  name: string
  /** Suffix of the kind: `UserAccessKeys`. */
  kind: string
  description: string
  fields: Record<string, Schema>
  read: (asked: Asked) => Promise<Record<string, unknown>>
}

/** Subresources of a user or a team for clients. Source: platform facts 1.0, 7.1. */
export function identityAnswers(platform: Platform, plural: Plural): AnsweredSubresource[] {
  const { names, access } = platform
  return answers.map(({ name, kind: suffix, description, fields, read }) => {
    const kind = `${plural === 'users' ? 'User' : 'Team'}${suffix}`
    const get = async (request: AnswerRequest): Promise<ApiObject> => {
      const store = access.store(managementResource(names, plural))
      const object = await store.durable({ namespace: '', name: request.name })
      const found = await read(askedOf(platform, plural, object))
      return answerObject(names, kind, { metadata: { name: request.name }, ...found })
    }
    const shape = { names, kind, plural, description: `${kind} are ${description}.`, fields }
    return { name, verbs: ['get'], resource: answeredKind(shape, ['get'], { get }) }
  })
}

const namedShape = struct({ name: string('Name of the object.') }, 'An object by its name.')

const answers: readonly Answer[] = [
  {
    name: 'accesskeys',
    kind: 'AccessKeys',
    description: 'its access keys',
    fields: { accessKeys: listOf(opaque('An access key.'), 'The access keys.') },
    read: async ({ plural, object, platform: { access, names } }) => {
      const keys = await allObjects(access.store(managementResource(names, 'ownedaccesskeys')))
      const field = plural === 'users' ? 'user' : 'team'
      return { accessKeys: keys.filter((key) => keySpecOf(key)[field] === object.metadata.name) }
    },
  },
  {
    name: 'clusters',
    kind: 'Clusters',
    description: 'the connected clusters it may use',
    fields: {
      clusters: listOf(
        struct(
          { accounts: stringList('Accounts in the cluster.'), cluster: opaque('The cluster.') },
          'A connected cluster.',
        ),
        'The connected clusters.',
      ),
    },
    read: async (asked) => ({
      clusters: (await readable(asked, 'clusters')).map((cluster) => ({ cluster })),
    }),
  },
  {
    name: 'permissions',
    kind: 'Permissions',
    description: 'its memberships and roles',
    fields: {
      clusterRoles: listOf(namedShape, 'Cluster roles, including those of its teams.'),
      teamMemberships: listOf(entityInfoSchema('A team.'), 'Teams of the user.'),
      projectMemberships: listOf(namedShape, 'Visible projects.'),
      clusterAccess: listOf(namedShape, 'Visible connected clusters.'),
    },
    read: async (asked) => ({
      clusterRoles: await clusterRolesOf(asked),
      teamMemberships: asked.teams.map((team) => entityNamed(asked.platform, 'teams', team)),
      projectMemberships: (await readable(asked, 'projects')).map(named),
      clusterAccess: (await readable(asked, 'clusters')).map(named),
    }),
  },
  {
    name: 'object-permissions',
    kind: 'ObjectPermissions',
    description: 'its rights on individual objects, from access entries and ownership',
    fields: {
      objectPermissions: listOf(
        struct(
          {
            group: string('API group of the object.'),
            resource: string('Its resource.'),
            namespace: string('Namespace of the virtual cluster.'),
            name: string('Its name.'),
            displayName: string('Its name in the UI.'),
            subresources: stringList('Subresources that the verbs are for; empty: the object.'),
            verbs: stringList('Allowed verbs.'),
          },
          'Rights on one object.',
        ),
        'The rights.',
      ),
    },
    read: async ({ user, platform: { access, names } }) => ({
      objectPermissions: await objectPermissionsOf(user, access, names),
    }),
  },
]

function askedOf(platform: Platform, plural: Plural, object: ApiObject): Asked {
  const { name = '', uid = '' } = object.metadata
  const isUser = plural === 'users'
  const teams = isUser ? platform.teamsOf(name) : []
  // Guaranteed by the schema of users.
  const spec = (object['spec'] ?? {}) as UserIdentitySpec
  const identity = isUser
    ? userIdentity({ name, uid, spec, teams }, platform.names)
    : teamIdentity(name, uid, platform.names)
  const user = { name: identity.name, uid, groups: [...identity.groups], extra: {} }
  return { plural, object, user, teams, platform }
}

/** The objects of a kind that the user may get. */
async function readable({ user, platform }: Asked, plural: string): Promise<ApiObject[]> {
  const { group, resource } = managementResource(platform.names, plural)
  const objects = await allObjects(platform.access.store({ group, resource }))
  const decisions = await Promise.all(
    objects.map(({ metadata: { name = '' } }) =>
      platform.access.authorize({
        ...{ user, verb: 'get', isResource: true, group, version: 'v1', resource, name },
        ...{ subresource: '', namespace: '', path: '' },
      }),
    ),
  )
  return objects.filter((_, index) => decisions[index]?.allowed === true)
}

async function clusterRolesOf({ object, teams, platform }: Asked): Promise<{ name: string }[]> {
  const { access, names } = platform
  const all = await allObjects(access.store(managementResource(names, 'teams')))
  const ofTeams = all.filter(({ metadata }) => teams.includes(metadata.name ?? ''))
  const roles = [object, ...ofTeams].flatMap(({ spec }) => {
    // Guaranteed by the schemas of users and teams.
    const { clusterRoles = [] } = (spec ?? {}) as { clusterRoles?: { name?: string }[] }
    return clusterRoles.map(({ name = '' }) => name)
  })
  return [...new Set(roles)].sort().map((name) => ({ name }))
}

function named({ metadata }: ApiObject): { name: string } {
  return { name: metadata.name ?? '' }
}
