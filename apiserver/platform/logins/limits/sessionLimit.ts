import { loginType } from '../../../authentication/accessKeys/accessKeyLifetime.ts'
import { followStore } from '../../../authentication/followStore.ts'
import { managementResource } from '../../../apis/management/managementKind.ts'
import type { PlaneAccess } from '../../../apis/planeAccess.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { untilDone } from '../../../meta/waiting/untilDone.ts'
import { ignoreNotFound } from '../../../registry/ignoring.ts'
import type { Store } from '../../../registry/store.ts'
import { systemContext } from '../../../registry/systemContext.ts'

/** Maximum number of logins of one user at the same time. */
export const maxSessions = 100

/** Bounds the access keys that logins create: a login beyond the limit ends the user's oldest one. */
export class SessionLimit {
  readonly #keys: () => Store
  /** Login times by user, then by name of the key. */
  readonly #sessions = new Map<string, Map<string, string>>()
  /** Users by name of the key. */
  readonly #owners = new Map<string, string>()
  readonly #known = untilDone(() => followStore(this.#keys(), (name, key) => this.#set(name, key)))

  constructor(access: PlaneAccess, names: NamesProfile) {
    this.#keys = () => access.store(managementResource(names, 'ownedaccesskeys'))
  }

  /** Deletes the oldest login keys of a user that exceed the limit. */
  async enforce(user: string): Promise<void> {
    await this.#known()
    const sessions = this.#sessions.get(user)
    if (sessions === undefined || sessions.size <= maxSessions) return
    const byTime = [...sessions].sort(([, a], [, b]) => (a < b ? -1 : 1))
    const excess = byTime.slice(0, sessions.size - maxSessions)
    await Promise.all(excess.map(([name]) => this.#end(name)))
  }

  async #end(name: string): Promise<void> {
    await this.#keys().delete({ namespace: '', name }, {}, systemContext()).catch(ignoreNotFound)
  }

  #set(name: string, key: ApiObject | undefined): void {
    this.#forget(name)
    const spec = key?.['spec']
    if (!isObject(spec) || spec['type'] !== loginType) return
    const { user } = spec
    if (typeof user !== 'string') return
    const sessions = this.#sessions.get(user) ?? new Map<string, string>()
    sessions.set(name, key?.metadata.creationTimestamp ?? '')
    this.#sessions.set(user, sessions)
    this.#owners.set(name, user)
  }

  #forget(name: string): void {
    const user = this.#owners.get(name)
    if (user === undefined) return
    const sessions = this.#sessions.get(user)
    sessions?.delete(name)
    if (sessions?.size === 0) this.#sessions.delete(user)
    this.#owners.delete(name)
  }
}
