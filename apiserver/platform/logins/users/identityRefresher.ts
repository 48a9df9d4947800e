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
import { ProviderPauses } from '../limits/providerPauses.ts'
import type { SingleSignOn } from './singleSignOn.ts'

export interface IdentityRefresherOptions {
  services: LoginServices
  signOn: SingleSignOn
  /** The configured connectors by id. */
  connectors: () => ReadonlyMap<string, Connector>
  /** Starts following users, if not already done. */
  start: () => Promise<void>
}

/** Interval of the search for due identities. */
const checkEveryMs = 60_000
/** Maximum age of data from a provider. */
const maxAgeMs = 15 * 60_000
/** Maximum number of concurrent requests to providers. */
const maxRunning = 4

interface KnownKey extends LoginKey {
  refreshedAt: number
  usedAt: number
}

/**
 * Updates the users of logins from their providers in the background: users removed there lose
 * their login here, and groups follow. Unused logins are skipped until they are used. An
 * unavailable provider is retried with increasing delays, and its users stay unchanged in the
 * meantime.
 */
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

  /** Refreshes due identities. */
  async check(): Promise<void> {
    const connectors = this.#options.connectors()
    // Most configurations have no such connector, and need not follow keys.
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
    // The result arrives as a change of the key; until then it is not due again.
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

/** The relevant fields of a key, sound by the schema of the kind. */
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

/** A key created by a provider's login. */
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

/** The time in milliseconds; 0: never. */
function timeOf(text = ''): number {
  const time = Date.parse(text)
  return Number.isNaN(time) ? 0 : time
}
