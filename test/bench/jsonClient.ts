import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import type { Address } from './sample.ts'

const contentTypes: Readonly<Record<string, string>> = {
  POST: 'application/json',
  PATCH: 'application/merge-patch+json',
}

/** Sends JSON over kept-alive connections, for measurements that the client must not limit. */
export class JsonClient {
  readonly #address: Address
  readonly #agent: Agent

  constructor(address: Address, connections: number) {
    this.#address = address
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  /** Reads the whole response. @throws Error for a status other than 200 and 201. */
  async send(method: string, path: string, body?: unknown): Promise<string> {
    const response = await this.#ask(method, path, { body, agent: this.#agent })
    response.setEncoding('utf8')
    let text = ''
    // An encoding was set, so chunks are strings.
    for await (const chunk of response) text += chunk as string
    const { statusCode = 0 } = response
    if (statusCode !== 200 && statusCode !== 201) {
      throw new Error(`${method} ${path}: ${statusCode} ${text}`)
    }
    return text
  }

  /** Passes on each event of a watch until the returned function ends it. */
  async watch(path: string, onEvent: (line: string) => void): Promise<() => void> {
    const response = await this.#ask('GET', path, { agent: undefined, body: undefined })
    if (response.statusCode !== 200) throw new Error(`GET ${path}: ${response.statusCode}`)
    // The caller ends the watch by cutting the connection.
    response.on('error', () => undefined)
    createInterface({ input: response }).on('line', onEvent)
    return () => response.destroy()
  }

  close(): void {
    this.#agent.destroy()
  }

  #ask(
    method: string,
    path: string,
    { body, agent }: { body: unknown; agent: Agent | undefined },
  ): Promise<IncomingMessage> {
    const { port, token } = this.#address
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': contentTypes[method] ?? '' }),
    }
    return new Promise((resolve, reject) => {
      const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent }, resolve)
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
    })
  }
}
