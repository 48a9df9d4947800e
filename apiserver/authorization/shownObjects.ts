import type { UserInfo } from '../meta/types.ts'
import type { Shows } from '../registry/read/visibility.ts'
import type { AuthorizationAttributes, AuthorizationDecision } from './authorizer.ts'

/** Maximum number of users with cached decisions; beyond that the cache is cleared. */
const maxUsers = 32

/** Decisions about states of objects, valid for one generation of roles and bindings. */
interface Known {
  generation: number
  states: WeakMap<object, boolean>
}

/**
 * Filters lists to the objects that the user may `get`. A decision about a state of an object stays
 * valid until a role or binding changes, since the state includes the owner.
 */
export class ShownObjects {
  readonly #decide: (request: AuthorizationAttributes) => AuthorizationDecision
  readonly #generation: () => number
  readonly #known = new Map<UserInfo, Known>()

  /**
   * Creates a filter. `generation` is incremented with every change that affects `decide`, other
   * than a change of the object or the user.
   */
  constructor(
    decide: (request: AuthorizationAttributes) => AuthorizationDecision,
    generation: () => number,
  ) {
    this.#decide = decide
    this.#generation = generation
  }

  /** Predicate for one list. */
  of(list: AuthorizationAttributes): Shows {
    // The configuration also affects what a scope covers.
    const isScoped = list.user.credential?.scope !== undefined
    const known = isScoped ? undefined : this.#knownOf(list.user)
    return (object, state) => {
      const before = known?.get(state)
      if (before !== undefined) return before
      const { allowed } = this.#decide({ ...list, ...object, verb: 'get' })
      known?.set(state, allowed)
      return allowed
    }
  }

  #knownOf(user: UserInfo): WeakMap<object, boolean> {
    const generation = this.#generation()
    let known = this.#known.get(user)
    if (known?.generation !== generation) {
      if (this.#known.size >= maxUsers) this.#known.clear()
      known = { generation, states: new WeakMap() }
      this.#known.set(user, known)
    }
    return known.states
  }
}
