import { linkAnnotations } from '../../../apis/management/users/accountLink.ts'
import {
  defaultPasswordRef,
  storedPassword,
} from '../../../apis/management/users/passwordSecret.ts'
import { isReservedName, linkOf } from './accountFields.ts'
import type { ExternalIdentity } from './externalIdentity.ts'
import type { LoginServices } from '../loginServices.ts'
import type { KnownUser, UserDirectory } from './userDirectory.ts'

/** Finds the existing accounts of users of providers. */
export class KnownAccounts {
  readonly #services: LoginServices
  readonly #directory: UserDirectory

  constructor(services: LoginServices, directory: UserDirectory) {
    this.#services = services
    this.#directory = directory
  }

  /**
   * Finds an account. @param bySubject connectors with users that are matched by subject.
   * @returns undefined: no account for this user.
   */
  find(identity: ExternalIdentity, bySubject: readonly string[]): KnownUser | undefined {
    const linked = this.#directory.byIdentity(linkOf(identity)) ?? this.#invited(identity)
    if (linked !== undefined || !bySubject.includes(identity.connector)) return linked
    return this.#prepared(identity)
  }

  /** An account that an administrator prepared for a user of this connector. */
  #invited({ connector, email, emailVerified, subject }: ExternalIdentity): KnownUser | undefined {
    const { identity, invitation } = this.#annotations()
    const isOpen = ({ annotations }: KnownUser) =>
      annotations[invitation] === connector && (annotations[identity] ?? '') === ''
    const named = this.#directory.bySubject(subject).filter(isOpen)
    const mailed = emailVerified && email !== undefined ? this.#directory.byEmail(email) : []
    const [user, other] = new Set([...named, ...mailed.filter(isOpen)])
    return other === undefined ? user : undefined
  }

  /** An account created with this subject that was never used and is not an administrator's. */
  #prepared({ subject }: ExternalIdentity): KnownUser | undefined {
    if (isReservedName(subject, this.#services.names)) return undefined
    const [user, other] = this.#directory.bySubject(subject)
    if (user === undefined || other !== undefined || user.spec.subject !== subject) return undefined
    return this.#isUntouched(user) ? user : undefined
  }

  #isUntouched({ name, spec, annotations }: KnownUser): boolean {
    const { names, access } = this.#services
    const { identity, invitation } = this.#annotations()
    const isLinked = [identity, invitation].some((link) => (annotations[link] ?? '') !== '')
    const password = storedPassword(spec.passwordRef ?? defaultPasswordRef(name, names), access)
    const hasPower = (spec.groups ?? []).some((group) => isReservedName(group, names))
    return !isLinked && password === undefined && !hasPower
  }

  #annotations() {
    return linkAnnotations(this.#services.names.domain)
  }
}
