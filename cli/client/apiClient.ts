import type { PlatformNames } from '../context/platformNames.ts'
import { ApiError } from './apiError.ts'
import { textAt, type ApiList, type ApiObject } from '../base/apiObject.ts'
import { itemsOf, objectIn } from './answers.ts'
import type { Answer, Message, Transport } from './transport.ts'

/** Location of objects: a plural and, for namespaced objects, the namespace. */
export interface Place {
  plural: string
  namespace?: string | undefined
}

export type Query = Readonly<Record<string, string | undefined>>

export interface ApiClientOptions {
  transport: Transport
  names: PlatformNames
  /** Access key; absent: anonymous. */
  accessKey?: string | undefined
  as?: string | undefined
  asGroups?: readonly string[]
}

const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const pageSize = '500'

/** The management API of one server, as one user. Throws error responses as ApiError. */
export class ApiClient {
  readonly names: PlatformNames
  readonly transport: Transport
  readonly #options: ApiClientOptions

  constructor(options: ApiClientOptions) {
    this.#options = options
    this.names = options.names
    this.transport = options.transport
  }

  get url(): string {
    return this.transport.options.url
  }

  get accessKey(): string | undefined {
    return this.#options.accessKey
  }

  /** Group and version of the platform's kinds. */
  get apiVersion(): string {
    return `management.${this.names.domain}/v1`
  }

  /** Path of the management API below the server. */
  get base(): string {
    return `/${this.names.proxySegment}/management`
  }

  pathOf({ plural, namespace }: Place, name?: string, subresource?: string): string {
    const parts = [
      ...(namespace === undefined ? [] : ['namespaces', namespace]),
      plural,
      ...(name === undefined ? [] : [name]),
    ]
    const below = subresource === undefined ? '' : `/${subresource}`
    return `${this.base}/apis/${this.apiVersion}/${parts.map(encodeURIComponent).join('/')}${below}`
  }

  async get(place: Place, name: string, query: Query = {}): Promise<ApiObject> {
    return this.object({ method: 'GET', path: withQuery(this.pathOf(place, name), query) })
  }

  async getBelow(place: Place, name: string, subresource: string): Promise<ApiObject> {
    return this.object({ method: 'GET', path: this.pathOf(place, name, subresource) })
  }

  /** Lists all objects, page by page. */
  async list(place: Place, query: Query = {}): Promise<ApiList> {
    const items: ApiObject[] = []
    let more: string | undefined
    for (;;) {
      const path = withQuery(this.pathOf(place), { limit: pageSize, ...query, continue: more })
      const page = await this.object({ method: 'GET', path })
      items.push(...itemsOf(page, this.url))
      more = textAt(page, 'metadata', 'continue')
      if (more === undefined) return { ...page, metadata: { ...page.metadata }, items }
    }
  }

  /** Table of a list or an object, formatted by the server. */
  async table(path: string): Promise<ApiObject> {
    return this.object({ method: 'GET', path, headers: { Accept: tableType } })
  }

  async create(place: Place, object: unknown, query: Query = {}): Promise<ApiObject> {
    const path = withQuery(this.pathOf(place), query)
    return this.object({ method: 'POST', path, body: object })
  }

  async createBelow(place: Place, name: string, subresource: string, body: unknown) {
    return this.object({ method: 'POST', path: this.pathOf(place, name, subresource), body })
  }

  async replace(place: Place, object: ApiObject, query: Query = {}): Promise<ApiObject> {
    const path = withQuery(this.pathOf(place, object.metadata.name ?? ''), query)
    return this.object({ method: 'PUT', path, body: object })
  }

  async delete(place: Place, name: string, query: Query = {}): Promise<ApiObject> {
    return this.object({ method: 'DELETE', path: withQuery(this.pathOf(place, name), query) })
  }

  /** Sends a request as the user and returns the object of the response. @throws ApiError. */
  async object(message: Message): Promise<ApiObject> {
    const answer = await this.send(message)
    if (answer.status >= 300) throw new ApiError(answer)
    return answer.text === '' ? { metadata: {} } : objectIn(answer.text, this.url)
  }

  async send(message: Message): Promise<Answer> {
    return this.transport.send({ ...message, headers: { ...this.authority(), ...message.headers } })
  }

  /** User to impersonate; undefined: none. */
  get impersonated(): { user: string | undefined; groups: readonly string[] } {
    return { user: this.#options.as, groups: this.#options.asGroups ?? [] }
  }

  /** Headers that identify the user. */
  authority(): Record<string, string | string[]> {
    const { accessKey, as, asGroups = [] } = this.#options
    return {
      ...(accessKey === undefined ? {} : { Authorization: `Bearer ${accessKey}` }),
      ...(as === undefined ? {} : { 'Impersonate-User': as }),
      ...(asGroups.length === 0 ? {} : { 'Impersonate-Group': [...asGroups] }),
    }
  }
}

/** Path with a query; undefined values are omitted. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1])
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}
