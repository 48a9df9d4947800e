import { createHash } from 'node:crypto'
import { isObject } from '../meta/json/isObject.ts'
import { Pace } from '../meta/waiting/pace.ts'
import type { Endpoint } from '../webhooks/connectionProblem.ts'
import { weighedJson } from '../webhooks/weighedJson.ts'
import { pathOf, type RemoteService } from './remoteService.ts'
import type { Connections, RemoteAnswer } from './remoteConnections.ts'

const timeoutMs = 10_000
/** Maximum weight of a document, as computed by `jsonShape`: more than twice that of kube-apiserver's. */
const mostWeight = 400_000

type Members = Record<string, unknown>

/** Paths and definitions of another server for its group version. */
export interface RemoteSwagger {
  paths: Members
  definitions: Members
}

/** OpenAPI documents of another server, read again on each check. */
export class RemoteOpenApi {
  readonly #remote: RemoteService
  readonly #connections: Connections
  #v2: { etag: string; swagger: RemoteSwagger } | undefined
  #v3: { etag: string; url: string } | undefined
  #isChanged = false

  constructor(remote: RemoteService, connections: Connections) {
    this.#remote = remote
    this.#connections = connections
  }

  /** OpenAPI v2 document; undefined: none. */
  get swagger(): RemoteSwagger | undefined {
    return this.#v2?.swagger
  }

  /** Key of the document in the index of version 3. */
  get key(): string {
    return pathOf(this.#remote).slice(1)
  }

  /** Path of the v3 document, including its hash; undefined: none. */
  get url(): string | undefined {
    return this.#v3?.url
  }

  /** Reports whether a document changed since the last call. */
  takeChange(): boolean {
    const isChanged = this.#isChanged
    this.#isChanged = false
    return isChanged
  }

  /**
   * Reads changed documents. If the server has none or does not respond, the previous documents are
   * kept.
   */
  async refresh(endpoint: Endpoint): Promise<void> {
    await Promise.all([this.#refreshV2(endpoint), this.#refreshV3(endpoint)])
  }

  async #refreshV2(endpoint: Endpoint): Promise<void> {
    const answer = await this.#read(endpoint, '/openapi/v2', this.#v2?.etag)
    if (answer === undefined) return
    const document = parsed(answer.body)
    if (document === undefined) return
    const swagger = await ownPart(document, pathOf(this.#remote))
    this.#v2 = { etag: etagOf(answer), swagger }
    this.#isChanged = true
  }

  async #refreshV3(endpoint: Endpoint): Promise<void> {
    const answer = await this.#read(endpoint, '/openapi/v3', this.#v3?.etag)
    const paths = answer && parsed(answer.body)?.['paths']
    const entry = isObject(paths) ? paths[this.key] : undefined
    const url = isObject(entry) ? entry['serverRelativeURL'] : undefined
    if (answer === undefined || typeof url !== 'string') return
    this.#isChanged ||= this.#v3?.url !== url
    this.#v3 = { etag: etagOf(answer), url }
  }

  /** Reads a document; undefined: unchanged. */
  async #read(
    endpoint: Endpoint,
    path: string,
    etag: string | undefined,
  ): Promise<RemoteAnswer | undefined> {
    const known = etag === undefined || etag === '' ? {} : { 'if-none-match': etag }
    const headers = { accept: 'application/json', ...known }
    try {
      const answer = await this.#connections.read(this.#remote, endpoint, {
        path,
        headers,
        timeoutMs,
      })
      const isNew = answer.code === 200 && etagOf(answer) !== etag
      return isNew ? answer : undefined
    } catch {
      // The availability check reports the reason.
      return undefined
    }
  }
}

/** ETag of a document; by default derived from its content. */
function etagOf({ etag, body }: RemoteAnswer): string {
  return etag ?? `"${createHash('sha256').update(body).digest('hex')}"`
}

/** Members of a document; undefined: it is invalid, or too large to be merged. */
function parsed(body: Buffer): Members | undefined {
  try {
    const value = weighedJson(body.toString(), mostWeight)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Paths below a group version, and the definitions that they refer to. */
async function ownPart({ paths, definitions }: Members, root: string): Promise<RemoteSwagger> {
  const pace = new Pace()
  const all = isObject(definitions) ? definitions : {}
  const kept = Object.entries(isObject(paths) ? paths : {}).filter(
    ([path]) => path === `${root}/` || path.startsWith(`${root}/`),
  )
  const needed: Members = {}
  const waiting: unknown[] = kept.map(([, item]) => item)
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    for (const name of referencesIn(part)) {
      if (Object.hasOwn(needed, name) || all[name] === undefined) continue
      needed[name] = all[name]
      waiting.push(all[name])
    }
    await pace.rest()
  }
  for (const [name, definition] of Object.entries(all)) {
    if (isOfGroup(definition, root)) needed[name] ??= definition
  }
  return { paths: Object.fromEntries(kept), definitions: needed }
}

const reference = /"\$ref":"#\/definitions\/([^"]+)"/g

function referencesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(reference)].map(([, name = '']) => name)
}

/** Reports whether a definition is that of a kind of the group version. */
function isOfGroup(definition: unknown, root: string): boolean {
  const kinds = isObject(definition) ? definition['x-kubernetes-group-version-kind'] : undefined
  const [version = '', group = ''] = root.split('/').reverse()
  return (
    Array.isArray(kinds) &&
    kinds.some((kind) => isObject(kind) && kind['group'] === group && kind['version'] === version)
  )
}
