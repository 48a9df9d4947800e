import type { OwnershipRule } from '../../../authorization/ownerRule.ts'
import type { IdentityGroups } from '../../../authorization/superusers.ts'
import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'

/**
 * Lets users read their User object and the Team objects of their teams, and read and write their profile. Source:
 * platform facts 3.2, "platform login"; 1.3.
 */
export function ownRecordRule(names: NamesProfile, groups: IdentityGroups): OwnershipRule {
  const group = managementGroup(names)
  const identities: Readonly<Record<string, (name: string) => string>> = {
    users: (name) => groups.user(name),
    teams: (name) => groups.team(name),
  }
  return {
    allows: (request) => {
      const { user, isResource, verb, resource, subresource, name } = request
      if (!isResource || request.group !== group || name === '' || name === '*') return false
      const identity = identities[resource]?.(name)
      if (identity === undefined || !user.groups.includes(identity)) return false
      return verb === 'get' || (verb === 'create' && subresource === 'profile')
    },
    rules: (user) =>
      Object.entries(identities).flatMap(([plural, identity]) => {
        const prefix = identity('')
        const own = user.groups
          .filter((one) => one.startsWith(prefix) && one !== identity('*'))
          .map((one) => one.slice(prefix.length))
        if (own.length === 0) return []
        const about = { apiGroups: [group], resourceNames: own }
        return [
          {
            ...about,
            verbs: ['get'],
            resources: [plural, ...readable.map((sub) => `${plural}/${sub}`)],
          },
          { ...about, verbs: ['create'], resources: [`${plural}/profile`] },
        ]
      }),
  }
}

const readable = ['accesskeys', 'clusters', 'object-permissions', 'permissions', 'profile']
