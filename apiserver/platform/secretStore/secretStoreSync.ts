import { messageOf } from '../../meta/messageOf.ts'
import { WorkQueue } from '../../runtime/workQueue.ts'
import type { Clock, Timer } from '../../meta/clock.ts'
import type { Store } from '../../registry/store.ts'
import { KeyValueEngine } from './keyValueEngine.ts'
import { SecretStoreError } from './secretStoreError.ts'
import type { SecretStoreSettings, TokenReference } from './secretStoreSettings.ts'
import { StoreConnection } from './storeConnection.ts'
import { release, syncObject } from './syncObject.ts'
import type { SyncedKind } from './syncedKind.ts'

const concurrency = 4

export interface SecretStoreSyncOptions {
  kinds: readonly SyncedKind[]
  /** Core secrets, for the token. */
  secrets: Store
  /** Namespace of the secret with the token. */
  tokenNamespace: string
  /** The address if the settings have none. */
  defaultAddress: string | undefined
  clock: Clock
  /** Called with errors that will be retried, once per message and interval. */
  report: (error: unknown) => void
}

interface Session {
  connection: StoreConnection
  engine: KeyValueEngine
  intervalMs: number
}

/**
 * Synchronizes objects with a secret store: when an object changes, and at every interval. It is idle until it receives
 * the settings. If syncing is disabled, it only releases deleted objects.
 */
export class SecretStoreSync {
  readonly #options: SecretStoreSyncOptions
  /** Kinds by the storage keys of objects that are or were synced. */
  readonly #kinds = new Map<string, SyncedKind>()
  readonly #reported = new Set<string>()
  readonly #stopFollowing: (() => void)[] = []
  #queue: WorkQueue | undefined
  #session: Session | undefined
  #interval: Timer | undefined
  #settings = ''
  #isStopped = false

  constructor(options: SecretStoreSyncOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { kinds, secrets } = this.#options
    await Promise.all(
      [secrets, ...kinds.map(({ store }) => store)].map(({ cache }) => cache.warm()),
    )
    for (const kind of kinds) this.#follow(kind)
  }

  /** Applies other settings, immediately and to all objects. Equal settings are ignored. */
  update(settings: SecretStoreSettings): void {
    const text = JSON.stringify(settings)
    if (this.#isStopped || text === this.#settings) return
    this.#settings = text
    this.#end()
    this.#session = this.#open(settings)
    const { clock } = this.#options
    this.#queue = new WorkQueue({
      clock,
      concurrency,
      work: (key) => this.#work(key),
      report: (error) => this.#report(error),
    })
    this.#syncAll()
  }

  stop(): void {
    this.#isStopped = true
    for (const stopFollowing of this.#stopFollowing) stopFollowing()
    this.#end()
  }

  #end(): void {
    this.#interval?.cancel()
    this.#interval = undefined
    this.#queue?.stop()
    this.#session?.connection.close()
    this.#session = undefined
    this.#reported.clear()
  }

  #follow(kind: SyncedKind): void {
    const { cache } = kind.store
    const consider = (key: string, bytes: Buffer | undefined): void => {
      if (bytes?.includes(kind.word) !== true) {
        this.#kinds.delete(key)
        return
      }
      this.#kinds.set(key, kind)
      this.#queue?.add(key)
    }
    this.#stopFollowing.push(cache.onChange(({ key, entry }) => consider(key, entry?.bytes)))
    for (const { key, bytes } of cache.all()) consider(key, bytes)
  }

  #syncAll(): void {
    for (const key of this.#kinds.keys()) this.#queue?.add(key)
    if (this.#session === undefined) return
    this.#interval = this.#options.clock.setTimer(() => {
      this.#reported.clear()
      this.#syncAll()
    }, this.#session.intervalMs)
  }

  async #work(key: string): Promise<void> {
    const session = this.#session
    const kind = this.#kinds.get(key)
    const object = kind?.store.cache.get(key)?.object()
    if (kind === undefined || object === undefined) return
    const turn = { kind, now: () => this.#options.clock.now() }
    if (session !== undefined) return syncObject(object, { ...turn, engine: session.engine })
    if (object.metadata.deletionTimestamp !== undefined) await release(object, turn)
  }

  #open(settings: SecretStoreSettings): Session | undefined {
    const { enabled, address: given, skipTLSVerify, namespace, syncIntervalMs } = settings
    if (!enabled) return undefined
    const address = nonEmpty(given) ?? nonEmpty(this.#options.defaultAddress)
    try {
      if (address === undefined) throw new SecretStoreError('Refused', 'no address is set')
      const connection = new StoreConnection({
        address,
        skipTLSVerify,
        namespace,
        token: () => this.#token(settings),
      })
      const engine = new KeyValueEngine(connection)
      return { connection, engine, intervalMs: syncIntervalMs }
    } catch (error) {
      const why = messageOf(error)
      this.#options.report(new Error(`project secrets are not synced: ${why}`, { cause: error }))
      return undefined
    }
  }

  /** The token, read for every request, so that a new one takes effect at once. */
  #token({ token, tokenSecretRef }: SecretStoreSettings): string | undefined {
    return nonEmpty(token) ?? (tokenSecretRef && this.#referredToken(tokenSecretRef))
  }

  #referredToken({ name, key, optional }: TokenReference): string | undefined {
    const { secrets, tokenNamespace: namespace } = this.#options
    const secret = secrets.cache.get(secrets.keyOf({ namespace, name }))?.object()
    // Sound by the schema of core secrets.
    const data = secret?.['data'] as Record<string, string> | undefined
    const value = data?.[key]
    if (value !== undefined) return Buffer.from(value, 'base64').toString('utf8').trim()
    if (optional) return undefined
    const where = `${namespace}/${name}`
    throw new SecretStoreError('Unreachable', `the secret ${where} with the token is missing`)
  }

  /** Reports a message once, since many objects fail for the same cause. */
  #report(error: unknown): void {
    const text = String(error)
    if (this.#isStopped || this.#reported.has(text)) return
    this.#reported.add(text)
    this.#options.report(error)
  }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}
