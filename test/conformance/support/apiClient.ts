import type { ApiList, ApiObject } from './objects.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
}

interface RequestOptions {
  /** Sent as JSON. */
  body?: unknown
  contentType?: string
}

/** A plain HTTP client, which knows nothing of Kubernetes but the bearer token. Its casts say what
 *  the API promises; a test that reads a field finds out whether the promise holds. */
export class ApiClient {
  readonly baseUrl: string
  readonly #token: string

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl
    this.#token = token
  }

  /** Any answer of the server, also a refusal. @throws TypeError when no answer came. */
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

  /** The body of a GET in the form that is requested. @throws Error for anything but 200. */
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

  /** The body of a watch, as it comes. @throws TypeError when no answer came. */
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

/** The JSON of an answer. @throws Error for another status. */
export function parsed({ status, text }: Answer, expected: number): unknown {
  if (status !== expected) throw new Error(`Expected ${expected}, got ${status}: ${text}`)
  return JSON.parse(text)
}
