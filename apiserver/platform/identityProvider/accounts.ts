import { emailOriginAnnotation } from '../../apis/management/users/emailOrigin.ts'
import { managementResource } from '../../apis/management/managementKind.ts'
import { followStore } from '../../authentication/followStore.ts'
import type { TokenGeneration } from '../../authentication/accessKeys/tokenGeneration.ts'
import type { UserSpec } from '../logins/users/userDirectory.ts'
import type { ProviderServices } from './providerServices.ts'

/** A user as presented to clients of the provider. */
export interface ProviderAccount {
  /** The uid of the User object, unique forever. */
  id: string
  /** The name of the User object. */
  user: string
  spec: UserSpec
  /** True if a provider verified the address, and it was not changed since. */
  isEmailVerified: boolean
  /** The user's groups for authorization. */
  groups: readonly string[]
  tokenGeneration: TokenGeneration
}

/** Accounts by uid. */
export class ProviderAccounts {
  readonly #services: ProviderServices
  readonly #users = new Map<
    string,
    Pick<ProviderAccount, 'spec' | 'isEmailVerified'> & { uid: string }
  >()
  readonly #names = new Map<string, string>()

  constructor(services: ProviderServices) {
    this.#services = services
  }

  /** Reads every user, and follows their changes. */
  async start(): Promise<void> {
    const { access, names } = this.#services
    await followStore(access.store(managementResource(names, 'users')), (name, object) => {
      const before = this.#users.get(name)
      if (before !== undefined) this.#names.delete(before.uid)
      this.#users.delete(name)
      if (object === undefined) return
      const uid = object.metadata.uid ?? ''
      // Sound by the schema of the kind.
      const spec = (object['spec'] ?? {}) as UserSpec
      const origin = object.metadata.annotations?.[emailOriginAnnotation(names)]
      this.#users.set(name, { uid, spec, isEmailVerified: origin === 'provider' })
      this.#names.set(uid, name)
    })
  }

  /** The account of a uid; undefined: there is no such user, or it is disabled. */
  get(id: string): ProviderAccount | undefined {
    const name = this.#names.get(id)
    return name === undefined ? undefined : this.byName(name)
  }

  /** The account of a User object by name. */
  byName(user: string): ProviderAccount | undefined {
    const known = this.#users.get(user)
    const identity = this.#services.identityOf(user)
    if (known === undefined || identity?.uid !== known.uid || identity.isDisabled) return undefined
    const { groups, tokenGeneration } = identity
    const { uid: id, spec, isEmailVerified } = known
    return { id, user, spec, isEmailVerified, groups, tokenGeneration }
  }
}
