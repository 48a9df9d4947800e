import { addToGroup } from '../meta/collections/groupBy.ts'
import type { UserInfo } from '../meta/types.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import type { AuthorizationAttributes } from './authorizer.ts'
import type { PolicyRule } from './rbac/policyRule.ts'

const verbs = ['list', 'watch']

/**
 * Lists and watches of visible kinds, which every authenticated user may request. Access to the
 * items is decided per object. Source: platform facts 3.2, the lists that clients begin with.
 */
export class VisibleLists {
  readonly #resources: () => ResourceSet
  #kinds: ReadonlyMap<string, ResourceDefinition> = new Map()
  #generation = -1

  constructor(resources: () => ResourceSet) {
    this.#resources = resources
  }

  allows({ user, isResource, verb, group, resource, subresource }: AuthorizationAttributes) {
    if (!isResource || !verbs.includes(verb) || subresource !== '') return false
    return isAuthenticated(user) && this.#visible().has(`${group}/${resource}`)
  }

  /** The rights, as rules. */
  rules(user: UserInfo): PolicyRule[] {
    if (!isAuthenticated(user)) return []
    const plurals = new Map<string, string[]>()
    for (const { group, plural } of this.#visible().values()) addToGroup(plurals, group, plural)
    return [...plurals].map(([group, resources]) => {
      return { verbs, apiGroups: [group], resources }
    })
  }

  #visible(): ReadonlyMap<string, ResourceDefinition> {
    const resources = this.#resources()
    if (this.#generation !== resources.generation) {
      const kinds = resources.all().filter(({ visible }) => visible === true)
      this.#kinds = new Map(kinds.map((kind) => [`${kind.group}/${kind.plural}`, kind]))
      this.#generation = resources.generation
    }
    return this.#kinds
  }
}

function isAuthenticated({ groups }: UserInfo): boolean {
  return groups.includes('system:authenticated')
}
