import type { ApiList, ApiObject } from './objects.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
}

interface RequestOptions {
  /** Body, sent as JSON. */
  body?: unknown
  contentType?: string
}

/**
 * Plain HTTP client, whose only knowledge of Kubernetes is the bearer token. Its casts state the
 * promises of the API; tests that read a field verify them.
 */
export class ApiClient {
  readonly baseUrl: string
  readonly #token: string

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl
    this.#token = token
  }

  /** Any response of the server, even a refusal. @throws TypeError without a response. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { body, contentType = 'application/json' } = options
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { ...this.#authorization(), 'Content-Type': contentType },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  async create(path: string, object: ApiObject): Promise<ApiObject> {
    return parsed(await this.request('POST', path, { body: object }), 201) as ApiObject
  }

  async replace(path: string, object: ApiObject): Promise<ApiObject> {
    return parsed(await this.request('PUT', path, { body: object }), 200) as ApiObject
  }

  async mergePatch(path: string, patch: unknown): Promise<ApiObject> {
    const contentType = 'application/merge-patch+json'
    return parsed(await this.request('PATCH', path, { body: patch, contentType }), 200) as ApiObject
  }

  async get(path: string): Promise<ApiObject> {
    return parsed(await this.request('GET', path), 200) as ApiObject
  }

  async list(path: string): Promise<ApiList> {
    return parsed(await this.request('GET', path), 200) as ApiList
  }

  /** Body of a GET in the requested form. @throws Error for a status other than 200. */
  async bytes(path: string, accept: string): Promise<Buffer> {
    const headers = { ...this.#authorization(), Accept: accept }
    const response = await fetch(this.baseUrl + path, { headers })
    const body = Buffer.from(await response.arrayBuffer())
    if (response.status !== 200)
      throw new Error(`GET ${path}: ${response.status} ${body.toString()}`)
    return body
  }

  async delete(path: string): Promise<void> {
    parsed(await this.request('DELETE', path), 200)
  }

  /** Body of a watch, as it arrives. @throws TypeError without a response. */
  async open(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const response = await fetch(this.baseUrl + path, { headers: this.#authorization(), signal })
    if (response.status !== 200 || response.body === null) {
      throw new Error(`GET ${path}: ${response.status} ${await response.text()}`)
    }
    return response.body
  }

  #authorization(): Record<string, string> {
    return { Authorization: `Bearer ${this.#token}` }
  }
}

/** JSON of a response. @throws Error for another status. */
export function parsed({ status, text }: Answer, expected: number): unknown {
  if (status !== expected) throw new Error(`Expected ${expected}, got ${status}: ${text}`)
  return JSON.parse(text)
}
