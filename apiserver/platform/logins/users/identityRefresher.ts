import { loginType } from '../../../authentication/accessKeys/accessKeyLifetime.ts'
import { followStore } from '../../../authentication/followStore.ts'
import { managementResource } from '../../../apis/management/managementKind.ts'
import type { Timer } from '../../../meta/clock.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { Store } from '../../../registry/store.ts'
import type { Connector } from '../connectors/connector.ts'
import { IdentityRefresh, type LoginKey } from './identityRefresh.ts'
import { loggedError } from '../loggedError.ts'
import type { LoginServices } from '../loginServices.ts'
import { ProviderPauses } from '../providerPauses.ts'
import type { SingleSignOn } from './singleSignOn.ts'

export interface IdentityRefresherOptions {
  services: LoginServices
  signOn: SingleSignOn
  /** By id, as they are configured now. */
  connectors: () => ReadonlyMap<string, Connector>
  /** Begins to follow users, where nobody did before. */
  start: () => Promise<void>
}

/** How often it is looked which identities are due. */
const checkEveryMs = 60_000
/** How old what a provider said may be. */
const maxAgeMs = 15 * 60_000
/** So many providers' answers are waited for at once. */
const maxRunning = 4

interface KnownKey extends LoginKey {
  refreshedAt: number
  usedAt: number
}

/** Asks providers again, in the background, whom the users of logins are: whoever was shut out there loses the login here,
 *  and groups follow. Logins that nobody uses are left alone until they are used. A provider that cannot be asked is
 *  asked again later, less and less often, and its users keep what they have meanwhile. */
export class IdentityRefresher {
  readonly #options: IdentityRefresherOptions
  readonly #keys = new Map<string, KnownKey>()
  readonly #pauses = new ProviderPauses()
  #following: Promise<void> | undefined
  #timer: Timer | undefined
  #isStopped = false

  constructor(options: IdentityRefresherOptions) {
    this.#options = options
    this.#wait()
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
  }

  #wait(): void {
    if (this.#isStopped) return
    const { clock, report } = this.#options.services
    this.#timer = clock.setTimer(() => {
      void this.check()
        .catch((error: unknown) => report(loggedError(error)))
        .finally(() => this.#wait())
    }, checkEveryMs)
  }

  /** Refreshes what is due. */
  async check(): Promise<void> {
    const connectors = this.#options.connectors()
    // Most configurations have none, and need to follow no keys.
    if (![...connectors.values()].some((connector) => 'refresh' in connector)) return
    await this.#options.start()
    await this.#follow()
    const due = this.#due(connectors)
    const worker = async () => {
      for (let next = due.pop(); next !== undefined && !this.#isStopped; next = due.pop()) {
        await this.#refresh(next, connectors)
      }
    }
    await Promise.all(Array.from({ length: maxRunning }, worker))
  }

  #due(connectors: ReadonlyMap<string, Connector>): KnownKey[] {
    const now = this.#options.services.clock.now()
    const isDue = ({ refreshedAt, usedAt, connector }: KnownKey) =>
      now - refreshedAt >= maxAgeMs &&
      usedAt > refreshedAt &&
      connectors.get(connector)?.refresh !== undefined
    return [...this.#keys.values()].filter(isDue)
  }

  async #refresh(key: KnownKey, connectors: ReadonlyMap<string, Connector>): Promise<void> {
    const { services, signOn } = this.#options
    const { clock, report } = services
    const connector = connectors.get(key.connector)
    if (connector === undefined || this.#pauses.isPaused(key.connector, clock.now())) return
    // What comes of it is known when the key changes; until then it is not due again.
    key.refreshedAt = clock.now()
    try {
      await new IdentityRefresh(services, signOn).of(key, connector)
      this.#pauses.answered(key.connector)
    } catch (error) {
      key.refreshedAt = 0
      this.#pauses.failed(key.connector, clock.now())
      report(loggedError(error))
    }
  }

  #follow(): Promise<void> {
    this.#following ??= followStore(this.#store(), (name, key) => this.#set(name, key))
    return this.#following
  }

  #set(name: string, object: ApiObject | undefined): void {
    const known = object && knownKey(name, object)
    if (known === undefined) this.#keys.delete(name)
    else this.#keys.set(name, known)
  }

  #store(): Store {
    const { access, names } = this.#options.services
    return access.store(managementResource(names, 'ownedaccesskeys'))
  }
}

/** What of a key counts here; the schema of the kind says so. */
interface KeyObject {
  spec?: {
    type?: string
    user?: string
    disabled?: boolean
    identity?: { connector?: string }
    identityRefresh?: string
  }
  status?: { lastActivity?: string }
}

/** A key that a provider's login made. */
function knownKey(name: string, { metadata, ...object }: ApiObject): KnownKey | undefined {
  const { spec = {}, status } = object as KeyObject
  const { type, user, identity, disabled } = spec
  if (type !== loginType || user === undefined || disabled === true) return undefined
  const { connector } = identity ?? {}
  if (connector === undefined) return undefined
  const refreshedAt = timeOf(spec.identityRefresh)
  const usedAt = timeOf(status?.lastActivity)
  return { name, uid: metadata.uid ?? '', user, connector, refreshedAt, usedAt }
}

/** 0: never. */
function timeOf(text = ''): number {
  const time = Date.parse(text)
  return Number.isNaN(time) ? 0 : time
}
