import type { ApiObject, GroupResource, UserInfo } from '../meta/types.ts'
import { decodeObject } from '../registry/objectBytes.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import type { ObjectState } from '../registry/read/visibility.ts'
import type { Store } from '../registry/store.ts'
import type { AuthorizationAttributes } from './authorizer.ts'
import { specField } from './rbac/accessEntry.ts'
import type { PolicyRule } from './rbac/policyRule.ts'
import type { IdentityGroups } from './superusers.ts'

/** Rights that come from the owner of an object rather than from a role. */
export interface OwnershipRule {
  /** Reports whether the rule allows a request that roles do not. */
  allows(request: AuthorizationAttributes): boolean
  /**
   * Reports whether the rule allows the request, given the state of its object. Absent: the state
   * does not matter.
   */
  allowsState?(request: AuthorizationAttributes, state: ObjectState): boolean
  /**
   * The rights as rules for rules reviews: everywhere and, if `namespace` is not empty, in that
   * namespace.
   */
  rules?(user: UserInfo, namespace: string): PolicyRule[] | Promise<PolicyRule[]>
}

/** Access to the objects of a plane. */
export interface OwnedObjects {
  resources(): ResourceSet
  store(resource: GroupResource): Store
}

/** `spec.owner`: a user or a team. */
export interface Owner {
  user?: string
  team?: string
}

/** Number of objects examined in a turn of the event loop. */
const looksPerTurn = 2_000

/**
 * Allows owners to do everything with their objects. The owner is read from the stored object, so
 * ownership starts and ends with the write that changes it. Source: platform facts 7.3.
 */
export class OwnerRule implements OwnershipRule {
  readonly #objects: OwnedObjects
  readonly #groups: IdentityGroups
  /** Owners by stored value, since each state of an object is a different value. */
  readonly #owners = new WeakMap<object, Owner>()
  #kinds = new Map<string, Store>()
  #kindsGeneration = -1

  constructor(objects: OwnedObjects, groups: IdentityGroups) {
    this.#objects = objects
    this.#groups = groups
  }

  allows({ user, isResource, group, resource, namespace, name }: AuthorizationAttributes): boolean {
    if (!isResource || name === '') return false
    const store = this.#ownedKinds().get(`${group}/${resource}`)
    if (store === undefined) return false
    const stored = store.options.storage.newest(store.keyOf({ namespace, name }))
    if (stored === undefined) return false
    let owner = this.#owners.get(stored)
    if (owner === undefined) {
      owner = ownerOf(decodeObject(stored.value))
      this.#owners.set(stored, owner)
    }
    return this.isOwner(user, owner)
  }

  allowsState({ user, group, resource }: AuthorizationAttributes, state: ObjectState): boolean {
    if (!this.#ownedKinds().has(`${group}/${resource}`)) return false
    let owner = this.#owners.get(state)
    if (owner === undefined) {
      owner = state.bytes.includes('"owner":{') ? ownerOf(decodeObject(state.bytes)) : {}
      this.#owners.set(state, owner)
    }
    return this.isOwner(user, owner)
  }

  isOwner({ groups }: Pick<UserInfo, 'groups'>, { user = '', team = '' }: Owner): boolean {
    if (user !== '' && groups.includes(this.#groups.user(user))) return true
    return team !== '' && groups.includes(this.#groups.team(team))
  }

  /**
   * Reports whether a user or team of this name, which need not exist, owns any object. It examines
   * all objects and yields in between.
   */
  async owns(owner: Owner): Promise<boolean> {
    const word = JSON.stringify(owner.user ?? owner.team ?? '')
    for (const { cache } of this.#ownedKinds().values()) {
      await cache.warm()
      let looked = 0
      for (const entry of [...cache.all()]) {
        if (++looked % looksPerTurn === 0) await new Promise(setImmediate)
        if (!entry.bytes.includes('"owner":{') || !entry.bytes.includes(word)) continue
        const { user, team } = ownerOf(entry.object())
        if (user === owner.user && team === owner.team) return true
      }
    }
    return false
  }

  async rules(user: UserInfo, namespace: string): Promise<PolicyRule[]> {
    const rules: PolicyRule[] = []
    for (const store of this.#ownedKinds().values()) {
      const names = await this.#ownedNames(store, user, namespace)
      if (names.length > 0) rules.push(everything(store.resource, names))
    }
    return rules
  }

  async #ownedNames({ cache, keyPrefix, resource }: Store, user: UserInfo, namespace: string) {
    if (resource.namespaced && namespace === '') return []
    await cache.warm()
    const prefix = resource.namespaced ? `${keyPrefix}${namespace}/` : keyPrefix
    return [...cache.all(prefix)]
      .filter((entry) => entry.bytes.includes('"owner":{'))
      .map((entry) => entry.object())
      .filter((object) => this.isOwner(user, ownerOf(object)))
      .map((object) => object.metadata.name ?? '')
  }

  #ownedKinds(): ReadonlyMap<string, Store> {
    const resources = this.#objects.resources()
    if (this.#kindsGeneration !== resources.generation) {
      const owned = resources.all().filter(hasOwner)
      this.#kinds = new Map(
        owned.map(({ group, plural }) => [
          `${group}/${plural}`,
          this.#objects.store({ group, resource: plural }),
        ]),
      )
      this.#kindsGeneration = resources.generation
    }
    return this.#kinds
  }
}

function hasOwner({ answers, schema }: ResourceDefinition): boolean {
  return answers === undefined && specField(schema, 'owner') !== undefined
}

/** The owner of an object; empty: none. */
export function ownerOf(object: ApiObject): Owner {
  // Guaranteed by the schema of kinds with owners.
  const spec = object['spec'] as { owner?: Owner } | undefined
  return spec?.owner ?? {}
}

function everything({ group, plural, subresources = [] }: ResourceDefinition, names: string[]) {
  const below = subresources.map(({ name }) => `${plural}/${name}`)
  return { verbs: ['*'], apiGroups: [group], resources: [plural, ...below], resourceNames: names }
}
