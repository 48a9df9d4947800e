import { ownerOf } from '../../../authorization/ownerRule.ts'
import { specField } from '../../../authorization/rbac/accessEntry.ts'
import { identityGroups, type IdentityGroups } from '../../../authorization/superusers.ts'
import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject, UserInfo } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { allObjects } from '../../storeReads.ts'

/** Rights of a user on one object. */
export interface ObjectPermission {
  group: string
  resource: string
  namespace?: string
  name: string
  displayName?: string
  subresources?: string[]
  verbs: string[]
}

interface ObjectSpec {
  displayName?: string
  access?: { verbs: string[]; subresources?: string[]; users?: string[]; teams?: string[] }[]
}

/**
 * The rights that an identity has through access entries and ownership, per object of the platform.
 */
export async function objectPermissionsOf(
  user: UserInfo,
  access: PlaneAccess,
  names: NamesProfile,
): Promise<ObjectPermission[]> {
  const group = managementGroup(names)
  const groups = identityGroups(names)
  const kinds = access
    .resources()
    .all()
    .filter((kind) => kind.group === group && isShared(kind))
  const found: ObjectPermission[] = []
  for (const kind of kinds) {
    const objects = await allObjects(access.store({ group, resource: kind.plural }))
    for (const object of objects) found.push(...permissionsOn(object, kind, user, groups))
  }
  return found
}

function isShared({ answers, schema }: ResourceDefinition): boolean {
  const hasRights = specField(schema, 'access') ?? specField(schema, 'owner')
  return answers === undefined && hasRights !== undefined
}

function permissionsOn(
  object: ApiObject,
  { group, plural }: ResourceDefinition,
  { groups: own }: UserInfo,
  groups: IdentityGroups,
): ObjectPermission[] {
  // Guaranteed by the schema of kinds with access entries.
  const { displayName, access = [] } = (object['spec'] ?? {}) as ObjectSpec
  const { name = '', namespace } = object.metadata
  const about = {
    group,
    resource: plural,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...(displayName === undefined ? {} : { displayName }),
  }
  const { user = '', team = '' } = ownerOf(object)
  const isOwner =
    (user !== '' && own.includes(groups.user(user))) ||
    (team !== '' && own.includes(groups.team(team)))
  const entries = access.filter(
    ({ users = [], teams = [] }) =>
      users.some((one) => own.includes(groups.user(one))) ||
      teams.some((one) => own.includes(groups.team(one))),
  )
  return [
    ...(isOwner ? [{ ...about, verbs: ['*'] }] : []),
    ...entries.map(({ verbs, subresources = [] }) => ({
      ...about,
      ...(subresources.length === 0 ? {} : { subresources }),
      verbs,
    })),
  ]
}
