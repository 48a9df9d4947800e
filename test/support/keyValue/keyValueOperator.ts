/**
 * Operator of a key-value engine of version 2, mounted at `secret`, over its published protocol.
 */
export class KeyValueOperator {
  readonly address: string
  readonly token: string

  constructor(address: string, token: string) {
    this.address = address
    this.token = token
  }

  async put(path: string, data: Record<string, unknown>): Promise<void> {
    await this.#ask('POST', `data/${path}`, { data })
  }

  /** Data of the newest version; undefined: deleted or missing. */
  async get(path: string): Promise<Record<string, unknown> | undefined> {
    const body = await this.#ask('GET', `data/${path}`)
    const { data } = (body['data'] ?? {}) as { data?: Record<string, unknown> | null }
    return data ?? undefined
  }

  /** Newest version; 0: none. */
  async version(path: string): Promise<number> {
    const body = await this.#ask('GET', `metadata/${path}`)
    const { current_version: version } = (body['data'] ?? {}) as { current_version?: number }
    return version ?? 0
  }

  async names(folder: string): Promise<string[]> {
    const body = await this.#ask('GET', `metadata/${folder}?list=true`)
    return ((body['data'] ?? {}) as { keys?: string[] }).keys ?? []
  }

  async remove(path: string): Promise<void> {
    await this.#ask('DELETE', `data/${path}`)
  }

  async undelete(path: string, version: number): Promise<void> {
    await this.#ask('POST', `undelete/${path}`, { versions: [version] })
  }

  async destroy(path: string, version: number): Promise<void> {
    await this.#ask('PUT', `destroy/${path}`, { versions: [version] })
  }

  async forget(path: string): Promise<void> {
    await this.#ask('DELETE', `metadata/${path}`)
  }

  async #ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.address}/v1/secret/${path}`, {
      method,
      headers: { 'X-Vault-Token': this.token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (answer.status >= 400 && answer.status !== 404) throw new Error(`${path}: ${text}`)
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  }
}
