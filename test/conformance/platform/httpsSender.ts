import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import {
  bodyType,
  wholePath,
  type OpenWatch,
  type PlatformAddress,
  type PlatformAnswer,
  type PlatformRequest,
  type PlatformSender,
} from './platformSender.ts'

/** Properties of a client's requests. */
export interface HttpShape {
  /** Authorization scheme as the client spells it. */
  bearer: string
  headers: Record<string, string>
  /** Query added to each address without one. */
  query: string
}

const waitSeconds = 10

/** Sends over HTTPS, and verifies the server's certificate. */
export class HttpsSender implements PlatformSender {
  readonly #address: PlatformAddress
  readonly #shape: HttpShape

  constructor(address: PlatformAddress, shape: HttpShape) {
    this.#address = address
    this.#shape = shape
  }

  async send(request: PlatformRequest): Promise<PlatformAnswer> {
    const response = await this.#answer(request)
    let text = ''
    response.setEncoding('utf8')
    // An encoding was set, so chunks are strings.
    for await (const chunk of response) text += chunk as string
    return { status: response.statusCode ?? 0, headers: response.headers, text }
  }

  async open(request: PlatformRequest): Promise<OpenWatch> {
    const response = await this.#answer(request)
    if (response.statusCode !== 200) throw new Error(`a watch was answered ${response.statusCode}`)
    return new HttpsWatch(response)
  }

  async #answer(request: PlatformRequest): Promise<IncomingMessage> {
    const { url, certificateAuthority } = this.#address
    const { bearer, headers, query } = this.#shape
    const { method, path, key, body } = request
    const whole = wholePath(path)
    const sent = httpsRequest(url + whole + (whole.includes('?') ? '' : query), {
      method,
      ca: certificateAuthority,
      headers: {
        ...headers,
        ...(key === undefined ? {} : { Authorization: `${bearer} ${key}` }),
        ...bodyType(request),
        ...request.headers,
      },
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    // Listeners of this event get only the response.
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response
  }
}

class HttpsWatch implements OpenWatch {
  readonly #response: IncomingMessage
  #text = ''

  constructor(response: IncomingMessage) {
    this.#response = response
    response.setEncoding('utf8').on('data', (text: string) => (this.#text += text))
  }

  async until(part: string): Promise<void> {
    const signal = AbortSignal.timeout(waitSeconds * 1000)
    while (!this.#text.includes(part)) await once(this.#response, 'data', { signal })
  }

  async ended(): Promise<string> {
    const signal = AbortSignal.timeout(waitSeconds * 1000)
    if (!this.#response.readableEnded) await once(this.#response, 'end', { signal })
    return this.#text
  }
}
