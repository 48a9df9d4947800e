import { Agent, request } from 'node:http'
import { once } from 'node:events'
import type { Address } from './sample.ts'

interface Page {
  ms: number
  bytes: number
  continueToken: string | undefined
}

/** Client with a kept-alive connection that reads lists, in pages or whole. */
export class PagedList {
  readonly #address: Address
  readonly #path: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(address: Address, path: string) {
    this.#address = address
    this.#path = path
  }

  /**
   * Total time of all pages, in ms; without a limit there is one page. `between` runs before each
   * following page and is not counted.
   */
  async walk(limit: number, between?: () => Promise<void>): Promise<number> {
    let page = await this.#page(`?limit=${limit}`)
    let { ms } = page
    while (page.continueToken !== undefined) {
      await between?.()
      page = await this.#page(`?limit=${limit}&continue=${page.continueToken}`)
      ms += page.ms
    }
    return ms
  }

  close(): void {
    this.#agent.destroy()
  }

  async #page(query: string): Promise<Page> {
    const { port, token } = this.#address
    const began = performance.now()
    const sent = request({
      port,
      host: '127.0.0.1',
      path: this.#path + query,
      agent: this.#agent,
      headers: { Authorization: `Bearer ${token}` },
    })
    sent.end()
    // Any other response is thrown as an error.
    const [response] = (await once(sent, 'response')) as [
      AsyncIterable<Buffer> & { statusCode: number },
    ]
    if (response.statusCode !== 200) throw new Error(`unexpected answer: ${response.statusCode}`)
    let bytes = 0
    let continueToken: string | undefined
    for await (const chunk of response) {
      // The list's own metadata comes before its items.
      if (bytes === 0)
        continueToken = /"continue":"([^"]+)"/.exec(chunk.toString('latin1', 0, 1_000))?.[1]
      bytes += chunk.length
    }
    return { ms: performance.now() - began, bytes, continueToken }
  }
}
