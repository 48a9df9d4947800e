import type { IncomingMessage } from 'node:http'
import type { Answer, HttpClient } from './httpClient.ts'

interface Kept {
  metadata: { name: string; resourceVersion: string }
}

interface WatchEvent {
  type: string
  object: Kept
}

/**
 * Keeps the objects of a path like client libraries: lists, watches from that revision, and lists
 * again after a 410.
 */
export class Informer {
  readonly #client: HttpClient
  readonly #path: string
  #known = new Map<string, string>()
  #revision = ''
  #response: IncomingMessage | undefined
  #isStopped = false

  constructor(client: HttpClient, path: string) {
    this.#client = client
    this.#path = path
  }

  async start(): Promise<void> {
    await this.#list()
    void this.#follow()
  }

  stop(): void {
    this.#isStopped = true
    this.#response?.destroy()
  }

  /** Reports whether the model has exactly the objects of a list, in the same states. */
  isLike(list: Answer): boolean {
    const items = list.field('items') as Kept[]
    const isSame = ({ metadata: { name, resourceVersion } }: Kept) =>
      this.#known.get(name) === resourceVersion
    return items.length === this.#known.size && items.every(isSame)
  }

  async #list(): Promise<void> {
    const list = await this.#client.get(this.#path)
    this.#revision = String(list.field('metadata', 'resourceVersion'))
    this.#known = new Map(
      (list.field('items') as Kept[]).map(({ metadata }) => [
        metadata.name,
        metadata.resourceVersion,
      ]),
    )
  }

  async #follow(): Promise<void> {
    while (!this.#isStopped) {
      const url = `${this.#path}?watch=1&allowWatchBookmarks=true&resourceVersion=${this.#revision}`
      this.#response = await this.#client.open(url)
      try {
        if (!(await this.#readAll(this.#response))) await this.#list()
      } catch (error) {
        if (!this.#isStopped) throw error
      }
    }
  }

  /** Applies the events of a watch. @returns false if the known state is outdated. */
  async #readAll(response: IncomingMessage): Promise<boolean> {
    let rest = ''
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (!this.#take(JSON.parse(line) as WatchEvent)) return false
    }
    return true
  }

  #take({ type, object: { metadata } }: WatchEvent): boolean {
    if (type === 'ERROR') return false
    this.#revision = metadata.resourceVersion
    if (type === 'DELETED') this.#known.delete(metadata.name)
    else if (type !== 'BOOKMARK') this.#known.set(metadata.name, metadata.resourceVersion)
    return true
  }
}
