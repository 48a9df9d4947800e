import { hash } from 'node:crypto'
import type { Adapter, AdapterPayload, errors } from 'oidc-provider'
import type { Clock } from '../../meta/clock.ts'
import type { ProviderAccounts } from './accounts.ts'
import type { ProviderRecord, ProviderRecords } from './providerRecords.ts'
import type { RefreshKeys } from './refreshKeys.ts'

export interface AdapterServices {
  records: ProviderRecords
  accounts: ProviderAccounts
  refreshKeys: RefreshKeys
  clock: Clock
  /** Error classes of the library, which is loaded by then. */
  errors: typeof errors
}

/** Maximum number of pending interactions. */
const maxInteractions = 10_000

/**
 * The library's state of one model, in records. A record is found by the digest of the value that a
 * browser or a client presents, so that a copied database reveals no credentials. It is found only
 * while its account is valid and has the same token generation.
 */
export class ProviderAdapter implements Adapter {
  readonly #model: string
  readonly #services: AdapterServices

  constructor(model: string, services: AdapterServices) {
    this.#model = model
    this.#services = services
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const { records, clock, accounts, errors } = this.#services
    if (this.#model === 'Interaction' && records.count(this.#model) >= maxInteractions) {
      throw new errors.TemporarilyUnavailable()
    }
    const { accountId } = payload
    const account = accountId === undefined ? undefined : accounts.get(accountId)
    const keyUid = this.#model === 'RefreshToken' ? await this.#ensureKey(payload) : undefined
    await records.put(this.#nameOf(id), {
      model: this.#model,
      payload: withoutSecrets(payload),
      expiresAt: clock.now() + expiresIn * 1000,
      generation: account?.tokenGeneration,
      keyUid,
    })
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    const found = this.#usable(this.#nameOf(id))
    return Promise.resolve(found && { ...found.payload, jti: id })
  }

  /** Finds sessions for inspection, not for authentication. */
  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const name = this.#services.records.nameOfUid(uid)
    return Promise.resolve(name === undefined ? undefined : this.#usable(name)?.payload)
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  /** Consumes a record. Of two concurrent calls one succeeds; the other is a replay, which revokes the whole grant. */
  async consume(id: string): Promise<void> {
    const { records, clock, errors } = this.#services
    let wasConsumed = false
    let grantId: string | undefined
    await records.change(this.#nameOf(id), (record) => {
      wasConsumed = record.payload.consumed !== undefined
      grantId = record.payload.grantId
      if (wasConsumed) return record
      const consumed = Math.floor(clock.now() / 1000)
      return { ...record, payload: { ...record.payload, consumed } }
    })
    if (!wasConsumed) return
    if (grantId !== undefined) await this.#removeGrant(grantId)
    throw new errors.InvalidGrant('it was used before')
  }

  async destroy(id: string): Promise<void> {
    if (this.#model === 'Grant') await this.#removeGrant(id)
    else await this.#services.records.remove(this.#nameOf(id))
  }

  revokeByGrantId(grantId: string): Promise<void> {
    return this.#removeGrant(grantId)
  }

  async #removeGrant(grantId: string): Promise<void> {
    const { records, refreshKeys } = this.#services
    await Promise.all([
      records.remove(nameOf('Grant', grantId)),
      records.removeGrant(grantId),
      refreshKeys.remove(grantId),
    ])
  }

  async #ensureKey(payload: AdapterPayload): Promise<string> {
    const { accounts, records, refreshKeys, errors } = this.#services
    const { accountId = '', grantId = '' } = payload
    const account = accounts.get(accountId)
    if (account === undefined) throw new errors.InvalidGrant('the account is of no use')
    const code = records.ofGrant(grantId).find(({ model }) => model === 'AuthorizationCode')
    return refreshKeys.ensure(account, payload, code?.payload.redirectUri)
  }

  #usable(name: string): ProviderRecord | undefined {
    const { records, accounts, refreshKeys } = this.#services
    const record = records.get(name)
    const accountId = record?.payload.accountId
    if (record === undefined || accountId === undefined) return record
    const account = accounts.get(accountId)
    if (account === undefined || account.tokenGeneration !== record.generation) return undefined
    const { grantId = '' } = record.payload
    const isRefresh = record.model === 'RefreshToken'
    return isRefresh && !refreshKeys.isOfUse(grantId, record.keyUid) ? undefined : record
  }

  #nameOf(id: string): string {
    return nameOf(this.#model, id)
  }
}

function nameOf(model: string, id: string): string {
  return hash('sha256', `${model}:${id}`)
}

/** Removes the id, which is the presented value, and an interaction's copy of the session's id, which is not needed. */
function withoutSecrets({ jti: _, session, ...payload }: AdapterPayload): AdapterPayload {
  if (session === undefined) return payload
  const { cookie: __, ...rest } = session
  return { ...payload, session: rest }
}
