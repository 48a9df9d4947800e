import { isObject } from '../../meta/json/isObject.ts'
import { SecretStoreError } from './secretStoreError.ts'
import type { StoreAnswer, StoreConnection } from './storeConnection.ts'

/** The location of a secret in the store. */
export interface StorePath {
  /** The engine's mount, which may contain slashes. */
  mount: string
  /** Path within the engine; may contain slashes. */
  path: string
}

/** The newest version of a secret in the store. */
export interface StoreSecret {
  /** Version, starting at 1; 0: there never was one, or it was purged. */
  version: number
  /** True if the version is marked deleted or destroyed, or there is none. */
  isDeleted: boolean
  /** JSON values by key; empty if deleted. */
  data: Readonly<Record<string, unknown>>
}

const noSecret: StoreSecret = { version: 0, isDeleted: true, data: {} }

/** The key-value engine, version 2, of a secret store.
 *  Source: the published HTTP API of the engine: "Read Secret Version", "Create/Update Secret", "Delete Latest Version". */
export class KeyValueEngine {
  readonly #connection: StoreConnection

  constructor(connection: StoreConnection) {
    this.#connection = connection
  }

  /** Reads the newest or the given version. @throws SecretStoreError. */
  async read(place: StorePath, version?: number): Promise<StoreSecret> {
    const query = version === undefined ? '' : `?version=${version}`
    const answer = await this.#connection.request('GET', `${dataPath(place)}${query}`)
    // The response for a missing mount has a message, for a missing secret it has none.
    if (answer.status === 404 && errorsOf(answer) === '') return deletedSecret(answer)
    if (answer.status !== 200) throw refusal(answer)
    return secretOf(answer)
  }

  /**
   * Writes a version after `cas`, which must be the newest version; 0: no version may exist. Returns the new version.
   * @throws SecretStoreError Conflict if another client was first.
   */
  async write(
    place: StorePath,
    data: Readonly<Record<string, unknown>>,
    cas: number,
  ): Promise<number> {
    const body = { options: { cas }, data }
    const answer = await this.#connection.request('POST', dataPath(place), body)
    if (answer.status !== 200 && answer.status !== 204) throw refusal(answer)
    const version = field(answer.body, 'data', 'version')
    if (typeof version === 'number') return version
    throw new SecretStoreError('Refused', 'the secret store does not speak version 2 at the mount')
  }

  /** Marks the newest version deleted; the store keeps it, so that it can be restored. */
  async remove(place: StorePath): Promise<void> {
    const answer = await this.#connection.request('DELETE', dataPath(place))
    if (answer.status !== 204 && answer.status !== 200 && answer.status !== 404) {
      throw refusal(answer)
    }
  }
}

function dataPath({ mount, path }: StorePath): string {
  const encoded = (text: string): string => text.split('/').map(encodeURIComponent).join('/')
  return `${encoded(mount)}/data/${encoded(path)}`
}

function secretOf({ body }: StoreAnswer): StoreSecret {
  const version = field(body, 'data', 'metadata', 'version')
  const data = field(body, 'data', 'data') ?? {}
  if (typeof version !== 'number' || !isObject(data)) {
    throw new SecretStoreError('Refused', 'the secret store does not speak version 2 at the mount')
  }
  return { version, isDeleted: false, data }
}

/** Deleted or destroyed version, for which the store responds 404 with its metadata. */
function deletedSecret({ body }: StoreAnswer): StoreSecret {
  const version = field(body, 'data', 'metadata', 'version')
  return typeof version === 'number' ? { ...noSecret, version } : noSecret
}

function refusal(answer: StoreAnswer): SecretStoreError {
  const { status } = answer
  const why = errorsOf(answer)
  const text = `the secret store answers ${status}${why === '' ? '' : `: ${why}`}`
  if (status === 400 && why.includes('check-and-set')) {
    return new SecretStoreError('Conflict', 'another client of the secret store wrote first')
  }
  if (status === 401 || status === 403) return new SecretStoreError('Forbidden', text)
  // Overload, standby and the store's own errors are temporary.
  if (status === 412 || status === 429 || status >= 472) {
    return new SecretStoreError('Unreachable', `the secret store answers ${status}`)
  }
  return new SecretStoreError('Refused', text)
}

function errorsOf({ body }: StoreAnswer): string {
  const errors = field(body, 'errors')
  const texts = Array.isArray(errors) ? errors.filter((text) => typeof text === 'string') : []
  return texts.join('; ').replace(/\s+/g, ' ').trim().slice(0, 500)
}

function field(value: unknown, ...path: readonly string[]): unknown {
  let at = value
  for (const name of path) at = isObject(at) ? at[name] : undefined
  return at
}
