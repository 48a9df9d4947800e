import type { ObjectState, View } from '../registry/read/visibility.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import type { AuthorizationAttributes } from './authorizer.ts'
import type { GrantFollower } from './rbac/grantChanges.ts'
import type { PolicyRule } from './rbac/policyRule.ts'

/** The decisions that a view relies on. */
export interface ViewDecisions {
  /**
   * Reports whether a request is currently allowed, by roles or by the owner in the object's newest
   * state.
   */
  allows(request: AuthorizationAttributes): boolean
  /** Reports whether a request is allowed, given the state of the object. */
  allowsState(request: AuthorizationAttributes, state: ObjectState): boolean
  /**
   * Reports whether the user loses read access because the second state of the object lacks an
   * access entry of the first.
   */
  takes(user: AuthorizationAttributes['user'], before: ObjectState, after: ObjectState): boolean
  /**
   * Reports whether the user, or a rule of the user about the watched resource, has changed since a
   * revision.
   */
  changedSince(revision: number): boolean
}

export interface WatchViewOptions {
  key: string
  request: AuthorizationAttributes
  store: Store
  decisions: ViewDecisions
  onClose: (view: WatchView) => void
}

/** Maximum number of deleted objects that a view remembers. */
const maxGone = 1_000

/**
 * The objects of one resource, or of one namespace of it, that a user may `get`. The view is
 * notified of changes of the user's roles and compares decisions before and after. If a decision
 * differs for an existing object, the view becomes invalid and shows nothing from then on.
 */
export class WatchView implements View, GrantFollower {
  readonly key: string
  readonly #options: WatchViewOptions
  /** Number of watches that use the view. */
  users = 0
  #isOver = false
  /** Decisions before the change that is being made. */
  readonly #before = new Map<string, { object: ObjectName; isAllowed: boolean }>()
  /**
   * Objects deleted before the user lost access to them, with the revision of the revocation, since
   * their deletion may still have to be sent.
   */
  readonly #gone = new Map<string, number>()

  constructor(options: WatchViewOptions) {
    this.key = options.key
    this.#options = options
  }

  shows(object: ObjectName, state: ObjectState): boolean {
    const { decisions } = this.#options
    return !this.#isOver && decisions.allowsState(this.#reading(object), state)
  }

  showsNow(object: ObjectName): boolean {
    return !this.#isOver && this.#options.decisions.allows(this.#reading(object))
  }

  showed(object: ObjectName, state: ObjectState, revision: number): boolean {
    if (this.#isOver) return false
    return this.shows(object, state) || revision <= (this.#gone.get(keyOf(object)) ?? 0)
  }

  takes(before: ObjectState, after: ObjectState): boolean {
    return this.#options.decisions.takes(this.#options.request.user, before, after)
  }

  holds(revision?: number): boolean {
    if (this.#isOver) return false
    return revision === undefined || !this.#options.decisions.changedSince(revision)
  }

  close(): void {
    if (--this.users === 0) this.#options.onClose(this)
  }

  before(namespace: string, rules: readonly PolicyRule[]): void {
    const { request } = this.#options
    if (this.#isOver || !isWithin(namespace, request.namespace)) return
    for (const rule of rules) {
      if (!isAboutReading(rule, request)) continue
      const { resourceNames: names = [] } = rule
      for (const name of names.length === 0 ? [''] : names) {
        const object = { namespace: namespace === '' ? request.namespace : namespace, name }
        if (this.#before.has(keyOf(object))) continue
        this.#before.set(keyOf(object), { object, isAllowed: this.showsNow(object) })
      }
    }
  }

  after(): void {
    for (const { object, isAllowed } of this.#before.values()) {
      if (this.showsNow(object) === isAllowed) continue
      if (this.#exists(object)) this.#isOver = true
      else if (isAllowed) this.#forget(object)
    }
    this.#before.clear()
  }

  #forget(object: ObjectName): void {
    if (object.name === '' || this.#gone.size >= maxGone) this.#isOver = true
    else this.#gone.set(keyOf(object), this.#options.store.cache.revision)
  }

  /**
   * Reports whether an object exists. Without a name: any object in the namespace. A name without a
   * namespace: in any namespace.
   */
  #exists(object: ObjectName): boolean {
    const { store } = this.#options
    const isNamespaced = store.resource.namespaced
    if (object.name !== '') {
      const isAnywhere = isNamespaced && object.namespace === ''
      return isAnywhere || store.cache.get(store.keyOf(object)) !== undefined
    }
    const { namespace } = object
    const isAll = !isNamespaced || namespace === ''
    const entries = store.cache.all(isAll ? undefined : `${store.keyPrefix}${namespace}/`)
    return entries[Symbol.iterator]().next().done !== true
  }

  #reading(object: ObjectName): AuthorizationAttributes {
    return { ...this.#options.request, ...object, verb: 'get' }
  }
}

function keyOf({ namespace, name }: ObjectName): string {
  return `${namespace}/${name}`
}

function isWithin(bindingNamespace: string, watched: string): boolean {
  return bindingNamespace === '' || watched === '' || bindingNamespace === watched
}

/** Reports whether a rule grants read access to objects of the resource. */
function isAboutReading(
  { verbs, apiGroups = [], resources = [] }: PolicyRule,
  { group, resource }: AuthorizationAttributes,
): boolean {
  const names = (values: readonly string[], value: string) =>
    values.includes('*') || values.includes(value)
  return names(verbs, 'get') && names(apiGroups, group) && names(resources, resource)
}

/** Reports whether a changed binding in `namespace` can affect a watch. */
export function concernsWatch(
  namespace: string,
  rule: PolicyRule,
  watch: AuthorizationAttributes,
): boolean {
  return isWithin(namespace, watch.namespace) && isAboutReading(rule, watch)
}
