import type { AuthorizationAttributes, Authorizer } from '../authorization/authorizer.ts'
import type { UserInfo } from '../meta/types.ts'

/** What `authorizer` is in expressions; null: expressions cannot ask. */
export type AuthorizerValue = object | null

/** The rights of a user as expressions ask for them. */
export function authorizerValue(user: UserInfo, authorize: Authorizer): AuthorizerValue {
  return new UserRights(user, authorize)
}

export class UserRights {
  readonly #user: UserInfo
  readonly #authorize: Authorizer

  constructor(user: UserInfo, authorize: Authorizer) {
    this.#user = user
    this.#authorize = authorize
  }

  /** undefined: the answer is not there at once. */
  decide(
    attributes: Omit<AuthorizationAttributes, 'user'>,
  ): { allowed: boolean; reason: string } | undefined {
    const decision = this.#authorize({ user: this.#user, ...attributes })
    return decision instanceof Promise ? undefined : decision
  }
}
