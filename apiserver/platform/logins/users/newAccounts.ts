import { linkAnnotations } from '../../../apis/management/users/accountLink.ts'
import { conflictingField } from '../../../apis/management/users/accountNames.ts'
import { emailOriginAnnotation } from '../../../apis/management/users/emailOrigin.ts'
import { managementResource } from '../../../apis/management/managementKind.ts'
import { hasReason } from '../../../meta/status.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { Store } from '../../../registry/store.ts'
import { systemContext } from '../../../registry/systemContext.ts'
import { isReservedName, linkOf, originOf, shownOf } from './accountFields.ts'
import type { ExternalIdentity } from './externalIdentity.ts'
import { forbiddenLogin } from '../loginRefusals.ts'
import type { LoginServices } from '../loginServices.ts'
import { nameLike, otherNameLike, shortHash } from './objectNames.ts'
import type { KnownUser, UserDirectory, UserSpec } from './userDirectory.ts'

/** Candidate names of a new account, in order of preference. */
interface Choice {
  names: string[]
  usernames: string[]
  emails: string[]
}

/** Creates accounts at first logins, under free names: conflicts are detected by the write. */
export class NewAccounts {
  readonly #services: LoginServices
  readonly #directory: UserDirectory

  constructor(services: LoginServices, directory: UserDirectory) {
    this.#services = services
    this.#directory = directory
  }

  /**
   * The name of the new account, or the account that a concurrent first login of the same user created.
   * @throws StatusError Forbidden.
   */
  async create(identity: ExternalIdentity): Promise<string | KnownUser> {
    const choice = await this.#choices(identity)
    for (;;) {
      const [[name], [username], [email]] = [choice.names, choice.usernames, choice.emails]
      if (name === undefined || username === undefined) break
      try {
        const object = this.#newObject(name, username, { ...identity, email })
        await this.#store().create(object, systemContext())
        return name
      } catch (error) {
        const made = await this.#madeMeanwhile(name, identity)
        if (made !== undefined) return made
        passOver(choice, error)
      }
    }
    throw forbiddenLogin(`no free name for the account of ${identity.username}`)
  }

  async #choices(identity: ExternalIdentity): Promise<Choice> {
    const { username } = identity
    const link = linkOf(identity)
    const [like, other] = [nameLike(username, link), otherNameLike(username, link)]
    const email = this.#freeEmail(identity)
    // Rights granted to a name must not pass to a user who happens to have it at a provider.
    const isNamed = await this.#services.isNamed(like)
    return {
      names: isNamed ? [other] : [like, other],
      usernames: [username, `${username}-${shortHash(link)}`],
      emails: email === undefined ? [] : [email],
    }
  }

  /**
   * The email address, unless an administrator gave it to another account. An address that users entered themselves
   * does not block it.
   */
  #freeEmail(identity: ExternalIdentity): string | undefined {
    const { email } = identity
    const holders = email === undefined ? [] : this.#directory.byEmail(email)
    if (holders.length === 0) return email
    const annotation = emailOriginAnnotation(this.#services.names)
    if (holders.every(({ annotations }) => annotations[annotation] === 'user')) return undefined
    const { identity: link } = this.#annotations()
    throw forbiddenLogin(
      `another account has the email address ${email}; an administrator can link it to this login with the annotation ${link}: ${linkOf(identity)}`,
    )
  }

  #newObject(name: string, username: string, identity: ExternalIdentity): ApiObject {
    const { resource, apiVersion } = this.#store()
    const { subject, groups } = identity
    const link = { [this.#annotations().identity]: linkOf(identity) }
    const spec: UserSpec = {
      ...shownOf(identity),
      username,
      subject: this.#isFree(subject) ? subject : linkOf(identity),
      ...(groups.length > 0 ? { ssoGroups: [...groups] } : {}),
    }
    const annotations = { ...originOf(identity, this.#services.names), ...link }
    return { kind: resource.kind, apiVersion, metadata: { name, annotations }, spec }
  }

  /**
   * Reports whether a subject is free: rights are granted to subjects by name, so it must belong neither to another
   * user nor to the system.
   */
  #isFree(subject: string): boolean {
    if (subject === '' || isReservedName(subject, this.#services.names)) return false
    return this.#directory.bySubject(subject).length === 0
  }

  async #madeMeanwhile(name: string, identity: ExternalIdentity): Promise<KnownUser | undefined> {
    const users = this.#store()
    const { storage } = users.options
    const stored = storage.newest(users.keyOf({ namespace: '', name }))
    if (stored !== undefined) await storage.settled(stored.revision)
    return this.#directory.byIdentity(linkOf(identity))
  }

  #annotations() {
    return linkAnnotations(this.#services.names.domain)
  }

  #store(): Store {
    return this.#services.access.store(managementResource(this.#services.names, 'users'))
  }
}

/** Drops the candidate that another user has. @throws any other error. */
function passOver(choice: Choice, error: unknown): void {
  const field = conflictingField(error)
  const isName = hasReason(error, 'AlreadyExists')
  if (isName || field === 'metadata.name') choice.names.shift()
  else if (field === 'spec.username') choice.usernames.shift()
  else if (field === 'spec.email') choice.emails.shift()
  else throw error
}
