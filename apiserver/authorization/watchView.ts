import type { ObjectState, View } from '../registry/read/visibility.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import type { AuthorizationAttributes } from './authorizer.ts'
import type { GrantFollower } from './rbac/grantChanges.ts'
import type { PolicyRule } from './rbac/policyRule.ts'

/** What a view decides by. */
export interface ViewDecisions {
  /** Whether a request is allowed now, by roles or by whose the newest state of the object is. */
  allows(request: AuthorizationAttributes): boolean
  /** The same, had the object this state. */
  allowsState(request: AuthorizationAttributes, state: ObjectState): boolean
  /** Whether an object in the one state has an entry for the user that lets it be read, and in the other has none. */
  takes(user: AuthorizationAttributes['user'], before: ObjectState, after: ObjectState): boolean
  /** Whether a rule about the resource of a watch changed for the user after a revision, or the user did. */
  changedSince(revision: number): boolean
}

export interface WatchViewOptions {
  key: string
  /** The watch. */
  request: AuthorizationAttributes
  store: Store
  decisions: ViewDecisions
  onClose: (view: WatchView) => void
}

/** So many objects that are gone are remembered with a view. */
const maxGone = 1_000

/** The objects of one resource, or of a namespace of it, that a user may `get`. It is told of changes of the user's
 *  roles and compares what they allow before and after: once that differs for an object that is there, the view holds
 *  no more, and nothing is shown by it from then on. */
export class WatchView implements View, GrantFollower {
  readonly key: string
  readonly #options: WatchViewOptions
  /** Watches that use it. */
  users = 0
  #isOver = false
  /** What was allowed before the change that is under way. */
  readonly #before = new Map<string, { object: ObjectName; isAllowed: boolean }>()
  /** The rights to objects that were gone when the right went, with the revision of then: their deletion may still have
   *  to be told. */
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

  /** Without a name: any in the namespace. A name without a namespace is one of any namespace. */
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

/** Whether a rule lets objects of the resource be read. */
function isAboutReading(
  { verbs, apiGroups = [], resources = [] }: PolicyRule,
  { group, resource }: AuthorizationAttributes,
): boolean {
  const names = (values: readonly string[], value: string) =>
    values.includes('*') || values.includes(value)
  return names(verbs, 'get') && names(apiGroups, group) && names(resources, resource)
}

/** Whether a change of a binding in `namespace` can matter to a watch. */
export function concernsWatch(
  namespace: string,
  rule: PolicyRule,
  watch: AuthorizationAttributes,
): boolean {
  return isWithin(namespace, watch.namespace) && isAboutReading(rule, watch)
}
