import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/**
 * Server for the published protocol of key-value engines of version 2, at the mount `secret`:
 * versions, check-and-set, recoverable deletion, destruction, metadata and lists. Times are
 * present, but have no meaning.
 */

interface Version {
  data: Record<string, unknown>
  deletionTime: string
  destroyed: boolean
}

interface Secret {
  versions: Version[]
  /** Number of the first of `versions`. */
  first: number
}

const maxVersions = 10
const someTime = '2030-01-01T00:00:00.000000000Z'

export interface KeyValueServerOptions {
  tls?: { cert: string | Buffer; key: string | Buffer }
}

export class KeyValueServer {
  readonly #secrets = new Map<string, Secret>()
  /** Requests such as `GET /v1/secret/data/a`, in order. */
  readonly requests: string[] = []
  readonly headers: IncomingMessage['headers'][] = []
  token = 'root'
  /** Responds to the next requests in place of the engine. */
  readonly faults: ((response: ServerResponse) => void)[] = []
  readonly #server: Server

  constructor({ tls }: KeyValueServerOptions = {}) {
    const serve = (request: IncomingMessage, response: ServerResponse) =>
      void this.#serve(request, response)
    this.#server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve)
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
    return `127.0.0.1:${this.port}`
  }

  get port(): number {
    // A listening TCP server has an address object.
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    this.requests.push(`${method} ${url}`)
    this.headers.push(headers)
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const fault = this.faults.shift()
    if (fault !== undefined) return fault(response)
    if (headers['x-vault-token'] !== this.token) {
      return answer(response, 403, { errors: ['permission denied'] })
    }
    const { pathname, searchParams } = new URL(url, 'http://x')
    const match = /^\/v1\/secret\/(\w+)\/(.*)$/.exec(pathname)
    if (match === null) {
      return answer(response, 404, { errors: [`no handler for route ${JSON.stringify(pathname)}`] })
    }
    const [, area = '', encoded = ''] = match
    const path = decodeURIComponent(encoded)
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
    const route = searchParams.get('list') === 'true' ? `LIST ${area}` : `${method} ${area}`
    this.#route(route, { path, body, version: Number(searchParams.get('version') ?? 0) }, response)
  }

  #route(
    route: string,
    { path, body, version }: { path: string; body: Record<string, unknown>; version: number },
    response: ServerResponse,
  ): void {
    const numbers = (body['versions'] as number[] | undefined) ?? []
    switch (route) {
      case 'GET data':
        return this.#read(path, version, response)
      case 'POST data':
        return this.#post(path, body, response)
      case 'DELETE data':
        return this.#mark(path, [this.#versionOf(path)], { deletionTime: someTime }, response)
      case 'POST undelete':
        return this.#mark(path, numbers, { deletionTime: '' }, response)
      case 'PUT destroy':
        return this.#mark(path, numbers, { destroyed: true }, response)
      case 'DELETE metadata':
        this.#secrets.delete(path)
        return answer(response, 204)
      case 'GET metadata':
        return this.#metadata(path, response)
      case 'LIST metadata':
        return this.#list(path, response)
      default:
        return answer(response, 404, { errors: [`no handler for route "${route}"`] })
    }
  }

  #versionOf(path: string): number {
    const secret = this.#secrets.get(path)
    return secret === undefined ? 0 : secret.first + secret.versions.length - 1
  }

  #read(path: string, wanted: number, response: ServerResponse): void {
    const secret = this.#secrets.get(path)
    const number = wanted === 0 ? this.#versionOf(path) : wanted
    const version = secret?.versions[number - secret.first]
    if (version === undefined) return answer(response, 404, { errors: [] })
    const gone = isGone(version)
    const data = gone ? null : version.data
    answer(response, gone ? 404 : 200, { data: { data, metadata: metadataOf(version, number) } })
  }

  #post(path: string, body: Record<string, unknown>, response: ServerResponse): void {
    const { cas } = (body['options'] ?? {}) as { cas?: number }
    if (cas !== undefined && cas !== this.#versionOf(path)) {
      const text = 'check-and-set parameter did not match the current version'
      return answer(response, 400, { errors: [text] })
    }
    const version = this.#write(path, body['data'] as Record<string, unknown>)
    answer(response, 200, { data: metadataOf(version, this.#versionOf(path)) })
  }

  #write(path: string, data: Record<string, unknown>): Version {
    const secret = this.#secrets.get(path) ?? { versions: [], first: 1 }
    this.#secrets.set(path, secret)
    const version = { data, deletionTime: '', destroyed: false }
    secret.versions.push(version)
    if (secret.versions.length > maxVersions) {
      secret.versions.shift()
      secret.first++
    }
    return version
  }

  #mark(
    path: string,
    numbers: readonly number[],
    mark: Partial<Version>,
    response: ServerResponse,
  ): void {
    const secret = this.#secrets.get(path)
    for (const number of numbers) {
      const version = secret?.versions[number - secret.first]
      if (version !== undefined) Object.assign(version, mark)
    }
    answer(response, 204)
  }

  #metadata(path: string, response: ServerResponse): void {
    const secret = this.#secrets.get(path)
    if (secret === undefined) return answer(response, 404, { errors: [] })
    const versions = Object.fromEntries(
      secret.versions.map((version, at) => [
        secret.first + at,
        metadataOf(version, secret.first + at),
      ]),
    )
    const current = this.#versionOf(path)
    answer(response, 200, {
      data: {
        versions,
        current_version: current,
        oldest_version: secret.first,
        cas_required: false,
      },
    })
  }

  #list(folder: string, response: ServerResponse): void {
    const prefix = folder === '' || folder.endsWith('/') ? folder : `${folder}/`
    const names = [...this.#secrets.keys()]
      .filter((path) => path.startsWith(prefix))
      .map((path) => /^[^/]+\/?/.exec(path.slice(prefix.length))?.[0] ?? '')
    const keys = [...new Set(names)].sort()
    if (keys.length === 0) return answer(response, 404, { errors: [] })
    answer(response, 200, { data: { keys } })
  }
}

function isGone({ deletionTime, destroyed }: Version): boolean {
  return destroyed || deletionTime !== ''
}

function metadataOf({ deletionTime, destroyed }: Version, version: number) {
  return {
    created_time: someTime,
    custom_metadata: null,
    deletion_time: deletionTime,
    destroyed,
    version,
  }
}

function answer(response: ServerResponse, status: number, body?: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}
