import type { AdapterPayload } from 'oidc-provider'
import { exactInteger, integer, struct, string } from '../../apis/schema.ts'
import { objectIfAny } from '../../apis/storeReads.ts'
import { followStore } from '../../authentication/followStore.ts'
import {
  integerOf,
  tokenGenerationOf,
  type TokenGeneration,
} from '../../authentication/accessKeys/tokenGeneration.ts'
import type { Clock, Timer } from '../../meta/clock.ts'
import type { ApiObject } from '../../meta/types.ts'
import { ignoreNotFound } from '../../registry/ignoring.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { Store } from '../../registry/store.ts'
import { systemContext } from '../../registry/systemContext.ts'
import { RecordIndex } from './recordIndex.ts'

const apiVersion = 'internal/v1'
const kind = 'IdentityProviderRecord'

/** An internal resource: no request, list or watch reaches it. */
const recordResource: ResourceDefinition = {
  group: 'internal',
  version: 'v1',
  plural: 'identityproviderrecords',
  singular: kind.toLowerCase(),
  kind,
  namespaced: false,
  verbs: [],
  schema: struct(
    {
      model: string('What it is: a session, a code, a token.'),
      grantId: string('What was granted to a client, of which it is a part.'),
      uid: string('A second name of a session.'),
      expiresAt: integer('Milliseconds since the epoch.'),
      // 0 is kept: an absent generation means that the record has no account.
      generation: {
        ...exactInteger('The token generation of the account when the record was created.'),
        omitEmpty: false,
      },
      keyUid: string('The access key that the user sees of a refresh token.'),
      payload: string('What the provider keeps, JSON.'),
    },
    'State of the OpenID provider.',
  ),
  strategy: { allowUnconditionalUpdate: true, generation: 'none' },
}

/** A piece of the provider's state. It does not contain the value that a browser or a client presents. */
export interface ProviderRecord {
  model: string
  payload: AdapterPayload
  /** Milliseconds since the epoch. */
  expiresAt: number
  /** Undefined: it belongs to no account. */
  generation: TokenGeneration | undefined
  /** The uid of a refresh token's access key. */
  keyUid: string | undefined
}

/** Interval of sweeps: longer than any request waits, short enough that few records pile up. */
const sweepMs = 60_000

export interface ProviderRecordsOptions {
  /** A store of the plane that keeps the records. */
  beside: Store
  clock: Clock
  /** Called with errors of removals. */
  report: (error: unknown) => void
}

/** The provider's state in the server's own storage: durable when a promise resolves, and removed after it expires. */
export class ProviderRecords {
  readonly #options: ProviderRecordsOptions
  readonly #store: Store
  readonly #index = new RecordIndex()
  #timer: Timer | undefined

  constructor(options: ProviderRecordsOptions) {
    this.#options = options
    this.#store = new Store({ ...options.beside.options, resource: recordResource })
  }

  /** Reads existing records, and follows changes. */
  async start(): Promise<void> {
    await followStore(this.#store, (name, object) => this.#index.set(name, object))
    this.#sweepLater()
  }

  stop(): void {
    this.#timer?.cancel()
    this.#store.cache.close()
  }

  /** Number of records of a model. */
  count(model: string): number {
    return this.#index.count(model)
  }

  /** A record by name; undefined: it does not exist, or has expired. */
  get(name: string): ProviderRecord | undefined {
    const object = objectIfAny(this.#store, { namespace: '', name })
    const record = object && recordOf(object)
    const isOver = record !== undefined && record.expiresAt <= this.#options.clock.now()
    return isOver ? undefined : record
  }

  /** The name of the record with this uid. */
  nameOfUid(uid: string): string | undefined {
    return this.#index.nameOfUid(uid)
  }

  async put(name: string, record: ProviderRecord): Promise<void> {
    const object = objectOf(name, record)
    const transform = (old: ApiObject): ApiObject => ({ ...object, metadata: old.metadata })
    const target = { namespace: '', name }
    const request = { transform, createMissing: () => structuredClone(object) }
    await this.#store.update(target, request, systemContext())
  }

  /**
   * Changes an existing record; `change` receives its newest state, and may throw to leave it unchanged.
   * @throws StatusError NotFound.
   */
  async change(name: string, change: (record: ProviderRecord) => ProviderRecord): Promise<void> {
    const transform = (old: ApiObject): ApiObject => ({
      ...objectOf(name, change(recordOf(old))),
      metadata: old.metadata,
    })
    await this.#store.update({ namespace: '', name }, { transform }, systemContext())
  }

  async remove(name: string): Promise<void> {
    await this.#store.delete({ namespace: '', name }, {}, systemContext()).catch(ignoreNotFound)
  }

  ofGrant(grantId: string): ProviderRecord[] {
    return this.#index.namesOfGrant(grantId).flatMap((name) => this.get(name) ?? [])
  }

  async removeGrant(grantId: string): Promise<void> {
    await Promise.all(this.#index.namesOfGrant(grantId).map((name) => this.remove(name)))
  }

  #sweepLater(): void {
    const { clock, report } = this.#options
    this.#timer = clock.setTimer(() => {
      this.#sweepLater()
      const over = this.#index.expired(clock.now())
      void Promise.all(over.map((name) => this.remove(name))).catch(report)
    }, sweepMs)
  }
}

function objectOf(name: string, { payload, ...record }: ProviderRecord): ApiObject {
  const { grantId, uid } = payload
  const { model, expiresAt, generation, keyUid } = record
  return {
    kind,
    apiVersion,
    metadata: { name },
    ...{ model, expiresAt },
    ...(grantId === undefined ? {} : { grantId }),
    ...(uid === undefined ? {} : { uid }),
    ...(generation === undefined ? {} : { generation: integerOf(generation) }),
    ...(keyUid === undefined ? {} : { keyUid }),
    payload: JSON.stringify(payload),
  }
}

function recordOf(object: ApiObject): ProviderRecord {
  // Sound: objectOf() created it.
  const { payload, ...rest } = object as unknown as StoredRecord
  const { model, expiresAt, keyUid } = rest
  const generation = rest.generation === undefined ? undefined : tokenGenerationOf(rest.generation)
  const parsed = JSON.parse(payload) as AdapterPayload
  return { model, expiresAt, generation, keyUid, payload: parsed }
}

interface StoredRecord extends Omit<ProviderRecord, 'payload' | 'generation'> {
  payload: string
  generation: number | bigint | undefined
}
