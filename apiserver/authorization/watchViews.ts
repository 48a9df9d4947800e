import { fieldWord } from '../meta/json/fieldWord.ts'
import type { UserInfo } from '../meta/types.ts'
import { decodeObject } from '../registry/objectBytes.ts'
import type { ObjectState, View } from '../registry/read/visibility.ts'
import type { AuthorizationAttributes } from './authorizer.ts'
import type { OwnedObjects } from './ownerRule.ts'
import { accessGroups, accessOf, roleMembersOf } from './rbac/accessEntry.ts'
import type { GrantChanges } from './rbac/grantChanges.ts'
import type { IdentityGroups } from './superusers.ts'
import { concernsWatch, WatchView, type ViewDecisions } from './watchView.ts'

export interface WatchViewsOptions {
  objects: OwnedObjects
  groups: IdentityGroups
  decisions: Pick<ViewDecisions, 'allows' | 'allowsState'>
  /**
   * Changes of roles and bindings; a function, because the object is replaced when roles and
   * bindings are loaded.
   */
  changes: () => GrantChanges
}

/** Maximum number of users with a known start revision; beyond that, the oldest are dropped. */
const maxUsers = 20_000

/**
 * Views for watches that are restricted to visible objects. Watches by the same user of the same
 * resource and namespace share a view.
 */
export class WatchViews {
  readonly #options: WatchViewsOptions
  readonly #views = new Map<string, WatchView>()
  /** Revision at which a user with this name, groups and scope was first seen. */
  readonly #known = new Map<string, number>()
  #made = 0

  constructor(options: WatchViewsOptions) {
    this.#options = options
  }

  /**
   * Records the user of a list, so that a watch from the list's revision can continue from the
   * items shown.
   */
  note(request: AuthorizationAttributes): void {
    const key = userKey(request.user)
    if (this.#known.has(key)) return
    if (this.#known.size >= maxUsers) this.#known.delete(this.#known.keys().next().value ?? '')
    this.#known.set(key, this.#store(request).cache.revision)
  }

  /** The view for a new watch. */
  open(request: AuthorizationAttributes): View {
    const { group, resource, namespace, user } = request
    const key = [userKey(user), group, resource, namespace].join('\n')
    let view = this.#views.get(key)
    if (view?.holds() !== true) {
      view = this.#newView(key, request)
      this.#views.set(key, view)
    }
    view.users++
    return view
  }

  #newView(key: string, request: AuthorizationAttributes): WatchView {
    const { changes, decisions } = this.#options
    // A list or watch of a single object has a name; the view does not.
    const watch = { ...request, name: '' }
    const view = new WatchView({
      key: `view ${++this.#made}`,
      request: watch,
      store: this.#store(request),
      decisions: {
        ...decisions,
        takes: (user, before, after) => this.#takes(user, before, after),
        changedSince: (revision) => this.#changedSince(revision, watch),
      },
      onClose: () => {
        unfollow()
        if (this.#views.get(key) === view) this.#views.delete(key)
      },
    })
    const unfollow = changes().follow(request.user, view)
    return view
  }

  #store({ group, resource }: AuthorizationAttributes) {
    return this.#options.objects.store({ group, resource })
  }

  #changedSince(revision: number, watch: AuthorizationAttributes): boolean {
    const known = this.#known.get(userKey(watch.user)) ?? Infinity
    if (known > revision) {
      this.note(watch)
      return true
    }
    return this.#options
      .changes()
      .concernedSince(revision, watch.user, (namespace, rule) =>
        concernsWatch(namespace, rule, watch),
      )
  }

  /**
   * Compares the access entries of two states, because the roles derived from them are updated
   * later.
   */
  #takes({ groups }: UserInfo, before: ObjectState, after: ObjectState): boolean {
    if (!entryWords.some((word) => before.bytes.includes(word))) return false
    const own = new Set(groups)
    const reads = (state: ObjectState) => this.#readers(state).some((group) => own.has(group))
    return reads(before) && !reads(after)
  }

  #readers({ bytes }: ObjectState): string[] {
    const { groups } = this.#options
    const object = decodeObject(bytes)
    const entries = accessOf(object).filter(
      ({ verbs, subresources = [] }) =>
        subresources.length === 0 && (verbs.includes('get') || verbs.includes('*')),
    )
    const members = roleMembersOf(object).map(({ plural, name }) =>
      plural === 'users' ? groups.user(name) : groups.team(name),
    )
    return [...entries.flatMap((entry) => accessGroups(entry, groups)), ...members]
  }
}

const entryWords = [fieldWord('access', '['), fieldWord('members', '[')]

/** Key that is the same for users with the same rights. */
function userKey({ name, groups, credential }: UserInfo): string {
  const scope = credential?.scope === undefined ? '' : JSON.stringify(credential.scope)
  return JSON.stringify([name, groups, scope])
}
