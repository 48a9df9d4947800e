import type { PlaneConnection } from '../../../syncer/client/openPlane.ts'
import { sendRequest } from '../../../syncer/client/sendRequest.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { jsonText } from '../../meta/json/exactJson.ts'
import { messageOf } from '../../meta/messageOf.ts'
import type { ApiObject } from '../../meta/types.ts'
import { StartError } from '../../runtime/startError.ts'

const requestMs = 60_000
/** Query for writes. Unknown fields are dropped, as for an older client. */
const asManager = 'fieldManager=platform-restore&fieldValidation=Ignore'

/** Response of the server: an object, or an error message. */
export type Answered = { object: ApiObject } | { refusal: string; code: number }

/** Reads and writes single objects of one plane. */
export class ObjectClient {
  readonly #connection: PlaneConnection
  /** Paths of collections by kind, with a placeholder for the namespace; undefined: not served. */
  readonly #paths = new Map<string, Promise<ServedKind | undefined>>()

  constructor(connection: PlaneConnection) {
    this.#connection = connection
  }

  /** Reads an object. @throws StartError if the server cannot be reached. */
  async get(object: Named): Promise<Answered> {
    return this.#at(object, (path) => this.#send('GET', path))
  }

  create(object: ApiObject, isDryRun: boolean): Promise<Answered> {
    const query = queryOf(isDryRun)
    return this.#at({ ...object, metadata: { ...object.metadata, name: '' } }, (path) =>
      this.#send('POST', `${path}?${query}`, object),
    )
  }

  /** Replaces the object at its resourceVersion. */
  replace(object: ApiObject, isDryRun: boolean): Promise<Answered> {
    const query = queryOf(isDryRun)
    return this.#at(object, (path) => this.#send('PUT', `${path}?${query}`, object))
  }

  close(): void {
    this.#connection.agent.destroy()
  }

  async #at(object: Named, send: (path: string) => Promise<Answered>): Promise<Answered> {
    const { apiVersion, kind, metadata } = object
    const served = await this.#served(apiVersion, kind)
    if (served === undefined)
      return { refusal: `the server does not serve ${kind} of ${apiVersion}`, code: 404 }
    const { namespace = '', name = '' } = metadata
    const within = served.namespaced ? `namespaces/${encodeURIComponent(namespace)}/` : ''
    const own = name === '' ? '' : `/${encodeURIComponent(name)}`
    return send(`${groupPath(apiVersion)}/${within}${served.plural}${own}`)
  }

  /**
   * Looks up a kind, and repeats this until it is served, since its definition may have just been
   * restored.
   */
  async #served(apiVersion: string, kind: string): Promise<ServedKind | undefined> {
    const key = `${apiVersion} ${kind}`
    const known = this.#paths.get(key) ?? this.#discover(apiVersion, kind)
    this.#paths.set(key, known)
    const served = await known
    if (served === undefined) this.#paths.delete(key)
    return served
  }

  async #discover(apiVersion: string, kind: string): Promise<ServedKind | undefined> {
    const found = await this.#send('GET', groupPath(apiVersion))
    if (!('object' in found)) return undefined
    const { resources } = found.object
    const list: unknown[] = Array.isArray(resources) ? resources : []
    for (const item of list)
      if (isObject(item) && item.kind === kind && !String(item.name).includes('/'))
        return { plural: String(item.name), namespaced: item.namespaced === true }
    return undefined
  }

  async #send(method: string, path: string, body?: ApiObject): Promise<Answered> {
    const { base, agent, headers } = this.#connection
    const url = base + path
    try {
      const signal = AbortSignal.timeout(requestMs)
      const head = { url, method, agent, headers: await headers(), signal }
      const { code, value } = await sendRequest(head, body && jsonText(body))
      if (code < 300) return { object: value as ApiObject } // a success contains an object
      const said = isObject(value) ? value['message'] : undefined
      return { refusal: typeof said === 'string' ? said : `responded ${code}`, code }
    } catch (error) {
      const why = messageOf(error)
      throw new StartError(`request to ${url} failed: ${why}`, error)
    }
  }
}

type Named = Pick<ApiObject, 'apiVersion' | 'kind' | 'metadata'>

interface ServedKind {
  plural: string
  namespaced: boolean
}

function queryOf(isDryRun: boolean): string {
  return isDryRun ? `${asManager}&dryRun=All` : asManager
}

function groupPath(apiVersion: string): string {
  return `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}`
}
