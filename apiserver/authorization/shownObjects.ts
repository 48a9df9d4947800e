import type { UserInfo } from '../meta/types.ts'
import type { Shows } from '../registry/read/visibility.ts'
import type { AuthorizationAttributes, AuthorizationDecision } from './authorizer.ts'

/** Users whose decisions are remembered; when there are more, all are forgotten. */
const maxUsers = 32

/** What was decided about states of objects while roles and bindings were those of a generation. */
interface Known {
  generation: number
  states: WeakMap<object, boolean>
}

/** Which objects of a list a user sees: those that it may `get`. What was decided about a state of an object holds until
 *  a role or binding changes, since ownership is a part of that state. */
export class ShownObjects {
  readonly #decide: (request: AuthorizationAttributes) => AuthorizationDecision
  readonly #generation: () => number
  readonly #known = new Map<UserInfo, Known>()

  /** `generation` goes up with every change of what `decide` decides by, beside the object itself and the user. */
  constructor(
    decide: (request: AuthorizationAttributes) => AuthorizationDecision,
    generation: () => number,
  ) {
    this.#decide = decide
    this.#generation = generation
  }

  /** For one list. */
  of(list: AuthorizationAttributes): Shows {
    // What a scope covers depends on the configuration too.
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
