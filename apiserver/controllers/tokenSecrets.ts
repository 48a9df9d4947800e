import type { Clock } from '../meta/clock.ts'
import { addTo, removeFrom } from '../meta/collections/setsByKey.ts'
import type { ApiObject } from '../meta/types.ts'
import { ignoring } from '../registry/ignoring.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import { systemContext } from '../registry/systemContext.ts'
import { WorkQueue } from '../runtime/workQueue.ts'

export interface TokenSecretsOptions {
  secrets: Store
  accounts: Store
  /** String that occurs in the bytes of every token secret; other secrets are not decoded. */
  marker: string
  /** Account of a token secret; undefined: the secret has another type. */
  accountOf: (secret: ApiObject) => { name: string; uid: string } | undefined
  /** Computes the missing content of a secret; undefined: it is complete. */
  fill: (secret: ApiObject, account: ApiObject) => Promise<Filling | undefined>
  clock: Clock
  /** Called with errors that will be retried. */
  report: (error: unknown) => void
}

/** Completes a secret; may run several times. */
export type Filling = (secret: ApiObject) => ApiObject

/**
 * Fills the token secrets of service accounts, and removes them with the accounts.
 * Source: Kubernetes documentation, "Managing Service Accounts", "Token controller".
 */
export class TokenSecrets {
  readonly #options: TokenSecretsOptions
  readonly #queue: WorkQueue
  /** Keys of secrets by the keys of their accounts. */
  readonly #ofAccount = new Map<string, Set<string>>()
  readonly #accountOf = new Map<string, string>()
  #stopFollowing: (() => void)[] = []

  constructor(options: TokenSecretsOptions) {
    this.#options = options
    const { clock, report } = options
    const work = (key: string) => this.#keep(key)
    this.#queue = new WorkQueue({ clock, report, work, concurrency: 16 })
  }

  async start(): Promise<void> {
    const { secrets, accounts } = this.#options
    await Promise.all([secrets.cache.warm(), accounts.cache.warm()])
    this.#stopFollowing = [
      secrets.cache.onChange(({ key, entry }) => {
        if (entry === undefined) this.#forget(key)
        else this.#consider(key, entry)
      }),
      accounts.cache.onChange(({ key }) => {
        for (const secret of this.#ofAccount.get(key) ?? []) this.#queue.add(secret)
      }),
    ]
    for (const entry of secrets.cache.all()) this.#consider(entry.key, entry)
  }

  stop(): void {
    this.#queue.stop()
    for (const stop of this.#stopFollowing) stop()
  }

  #consider(key: string, { bytes }: { bytes: Buffer }): void {
    if (bytes.includes(this.#options.marker)) this.#queue.add(key)
  }

  async #keep(key: string): Promise<void> {
    const { secrets, accounts, accountOf } = this.#options
    const target = secrets.nameOf(key)
    const secret = find(secrets, target)
    const named = secret && accountOf(secret)
    if (secret === undefined || named === undefined) return this.#forget(key)
    const owner = { namespace: target.namespace, name: named.name }
    this.#note(key, accounts.keyOf(owner))
    if (secret.metadata.deletionTimestamp !== undefined) return
    const account = find(accounts, owner)
    const isOther = named.uid !== '' && named.uid !== account?.metadata.uid
    if (account === undefined || isOther) await this.#remove(target, secret)
    else await this.#fill(target, secret, account)
  }

  #note(secret: string, account: string): void {
    if (this.#accountOf.get(secret) === account) return
    this.#forget(secret)
    this.#accountOf.set(secret, account)
    addTo(this.#ofAccount, account, secret)
  }

  #forget(secret: string): void {
    const account = this.#accountOf.get(secret)
    if (account === undefined) return
    this.#accountOf.delete(secret)
    removeFrom(this.#ofAccount, account, secret)
  }

  async #remove(target: ObjectName, { metadata: { uid } }: ApiObject): Promise<void> {
    const options = uid === undefined ? {} : { preconditions: { uid } }
    const { secrets } = this.#options
    await secrets.delete(target, options, systemContext()).catch(ignoreOvertaken)
  }

  async #fill(target: ObjectName, secret: ApiObject, account: ApiObject): Promise<void> {
    const { secrets, fill } = this.#options
    const filling = await fill(secret, account)
    if (filling === undefined) return
    const { uid } = secret.metadata
    const request = { transform: filling, ...(uid === undefined ? {} : { uid }) }
    await secrets.update(target, request, systemContext()).catch(ignoreOvertaken)
  }
}

function find(store: Store, target: ObjectName): ApiObject | undefined {
  const isThere = store.options.storage.newest(store.keyOf(target)) !== undefined
  return isThere ? store.newest(target).object : undefined
}

/** Ignores that the secret was deleted or replaced, or can no longer be changed. */
const ignoreOvertaken = ignoring('NotFound', 'Conflict', 'Invalid', 'Forbidden')
