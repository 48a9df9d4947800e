import { setMaxListeners } from 'node:events'
import type { Agent, OutgoingHttpHeaders } from 'node:http'
import type { Watch } from '@kubernetes/client-node'
import { bounded } from '../../apiserver/meta/waiting/bounded.ts'
import type { Clock } from '../../apiserver/meta/clock.ts'
import { isObject } from '../../apiserver/meta/json/isObject.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import {
  isPlaneError,
  PlaneError,
  type ObjectPlace,
  type PlaneClient,
  type PlaneList,
  type PlaneResource,
  type Selection,
  type WatchEvent,
  type WatchStart,
} from './planeClient.ts'
import { sendRequest } from './sendRequest.ts'
import { jsonText } from '../../apiserver/meta/json/exactJson.ts'

const pageSize = 500
const watchSeconds = 300
/** Time after which a watch that the server should have ended is considered dead. */
const watchDeadMs = (watchSeconds + 30) * 1000
/** Time limit for credentials, connection and response together. */
const requestMs = 60_000

export interface HttpPlaneOptions {
  /** Base URL of all paths. */
  base: string
  agent: Agent
  /** Authentication headers, created for each request. */
  headers: () => Promise<OutgoingHttpHeaders>
  watch: Watch
  clock: Clock
}

/** Client of a plane over HTTP. Bodies are JSON and passed on unchanged. */
export class HttpPlaneClient implements PlaneClient {
  readonly #options: HttpPlaneOptions
  readonly #resources = new Map<string, PlaneResource>()
  readonly #closed = new AbortController()

  constructor(options: HttpPlaneOptions) {
    this.#options = options
    // Every pending request listens to the signal.
    setMaxListeners(0, this.#closed.signal)
  }

  async list(
    resource: PlaneResource,
    { namespace, ...selected }: Selection,
    signal?: AbortSignal,
  ): Promise<PlaneList> {
    const items: ApiObject[] = []
    let resourceVersion = ''
    let next = ''
    do {
      const query = new URLSearchParams({
        limit: String(pageSize),
        ...selectors(selected),
        ...(next && { continue: next }),
      })
      const path = `${collection(resource, namespace)}?${query.toString()}`
      const page = await this.#ask('GET', path, { signal })
      // Sound: a list has items, which are objects of the kind.
      items.push(...((page.items ?? []) as ApiObject[]))
      const metadata = page.metadata as { resourceVersion?: string; continue?: string }
      resourceVersion = metadata.resourceVersion ?? ''
      next = metadata.continue ?? ''
    } while (next !== '')
    return { items, resourceVersion }
  }

  watch(
    resource: PlaneResource,
    { namespace, resourceVersion, signal, ...selected }: WatchStart,
    onEvent: (event: WatchEvent) => void,
  ): Promise<void> {
    const bounds = { allowWatchBookmarks: true, timeoutSeconds: watchSeconds }
    const query = { resourceVersion, ...selectors(selected), ...bounds }
    const path = collection(resource, namespace)
    return new Promise((resolve, reject) => {
      let refusal: Error | undefined
      let controller: AbortController | undefined
      let isEnded = false
      const end = (error: unknown) => {
        isEnded = true
        dead.cancel()
        signal.removeEventListener('abort', stop)
        const failure = signal.aborted ? undefined : (refusal ?? watchFailure(error))
        if (failure === undefined) resolve()
        else reject(failure)
      }
      // The library only allows aborting after the first byte of the response, which may never
      // arrive.
      const stop = () => {
        end(undefined)
        controller?.abort()
      }
      const dead = this.#options.clock.setTimer(stop, watchDeadMs)
      signal.addEventListener('abort', stop)
      const take = (type: string, object: unknown) => {
        if (isEnded) return
        if (type !== 'ERROR')
          onEvent({ type, object } as WatchEvent) // the protocol's shape
        else refusal = refusalOf(410, object)
      }
      this.#options.watch.watch(path, query, take, end).then((made) => {
        controller = made
        if (isEnded) made.abort()
      }, end)
    })
  }

  async get(resource: PlaneResource, place: ObjectPlace): Promise<ApiObject | undefined> {
    try {
      return await this.#ask('GET', one(resource, place))
    } catch (error) {
      if (isPlaneError(error, 404)) return undefined
      throw error
    }
  }

  create(resource: PlaneResource, object: ApiObject): Promise<ApiObject> {
    return this.#ask('POST', collection(resource, object.metadata.namespace), { body: object })
  }

  replace(resource: PlaneResource, object: ApiObject, subresource?: string): Promise<ApiObject> {
    const { name = '', namespace = '' } = object.metadata
    const path = one(resource, { name, namespace })
    const below = subresource === undefined ? path : `${path}/${subresource}`
    return this.#ask('PUT', below, { body: object })
  }

  async delete(
    resource: PlaneResource,
    place: ObjectPlace,
    uid: string | undefined,
    resourceVersion?: string,
  ): Promise<void> {
    const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions }
    try {
      await this.#ask('DELETE', one(resource, place), { body: options })
    } catch (error) {
      // The object is gone, or another object has its name.
      const isOther = resourceVersion === undefined && isPlaneError(error, 409)
      if (!isPlaneError(error, 404) && !isOther) throw error
    }
  }

  async resourceOf(apiVersion: string, kind: string): Promise<PlaneResource | undefined> {
    const key = `${apiVersion} ${kind}`
    const known = this.#resources.get(key)
    if (known !== undefined) return known
    const found = await this.#discover(apiVersion, kind)
    if (found !== undefined) this.#resources.set(key, found)
    return found
  }

  close(): void {
    this.#closed.abort(new Error('the client of the plane was closed'))
    this.#options.agent.destroy()
  }

  async #discover(apiVersion: string, kind: string): Promise<PlaneResource | undefined> {
    try {
      const { resources } = await this.#ask('GET', groupPath(apiVersion))
      const list: unknown[] = Array.isArray(resources) ? resources : []
      const found = list.find(
        (item) => isObject(item) && item.kind === kind && !String(item.name).includes('/'),
      )
      if (!isObject(found)) return undefined
      const { name, namespaced } = found
      return { apiVersion, kind, plural: String(name), namespaced: namespaced === true }
    } catch (error) {
      if (isPlaneError(error, 404)) return undefined
      throw error
    }
  }

  async #ask(
    method: string,
    path: string,
    { body, signal }: { body?: unknown; signal?: AbortSignal | undefined } = {},
  ): Promise<ApiObject> {
    const { base, agent, headers, clock } = this.#options
    const signals = [this.#closed.signal, ...(signal === undefined ? [] : [signal])]
    const bounds = { clock, ms: requestMs, what: `${method} ${path}`, signals }
    const text = body === undefined ? undefined : jsonText(body)
    const { code, value } = await bounded(bounds, async (ending) => {
      const head = { url: base + path, method, agent, headers: await headers() }
      return sendRequest({ ...head, signal: ending }, text)
    })
    if (code >= 300) throw refusalOf(code, value)
    // Sound: an API server responds with an object, or a list, which has the same envelope.
    return value as ApiObject
  }
}

function groupPath(apiVersion: string): string {
  const root = apiVersion.includes('/') ? '/apis' : '/api'
  return `${root}/${apiVersion.split('/').map(encodeURIComponent).join('/')}`
}

function collection({ apiVersion, plural }: PlaneResource, namespace: string | undefined): string {
  const within = namespace ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${groupPath(apiVersion)}${within}/${plural}`
}

function one(resource: PlaneResource, { name, namespace }: ObjectPlace): string {
  const within = resource.namespaced ? namespace : undefined
  return `${collection(resource, within)}/${encodeURIComponent(name)}`
}

function selectors({ name, labels }: Omit<Selection, 'namespace'>): Record<string, string> {
  return {
    ...(name === undefined ? {} : { fieldSelector: `metadata.name=${name}` }),
    ...(labels === undefined ? {} : { labelSelector: labels }),
  }
}

/** Error for a Status or any other response. */
function refusalOf(code: number, value: unknown): PlaneError {
  const status = isObject(value) ? value : {}
  const said = typeof status.code === 'number' ? status.code : code
  const message = typeof status.message === 'string' ? status.message : `the answer is ${code}`
  return new PlaneError(said, typeof status.reason === 'string' ? status.reason : '', message)
}

/** Error of a watch; undefined: it ended normally. */
function watchFailure(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  const { statusCode } = error as { statusCode?: unknown }
  if (typeof statusCode === 'number') return new PlaneError(statusCode, '', error.message)
  return error.name === 'AbortError' ? undefined : error
}
