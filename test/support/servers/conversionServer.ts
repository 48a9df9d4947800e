import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { authority, certificate, serverUse } from '../certificates.ts'

export type Converted = Record<string, unknown> & {
  apiVersion: string
  kind: string
  metadata: Record<string, unknown>
  spec: Record<string, unknown>
}

export interface ConversionReview {
  kind: string
  apiVersion: string
  request: { uid: string; desiredAPIVersion: string; objects: Converted[] }
  response: unknown
}

interface ConversionResponse {
  uid: string
  result: Record<string, unknown>
  convertedObjects: unknown[]
}

/** Behaviour in place of the conversion: changes the response, or sends another one. */
export type Misbehaviour = (
  response: ConversionResponse,
  http: ServerResponse,
) => ConversionResponse | undefined

/** Conversion webhook on a free port of 127.0.0.1. In v1 a spec has `size`, in v2 `count`. */
export class ConversionServer {
  readonly caBundle: string
  readonly calls: { url: string; headers: IncomingMessage['headers']; review: ConversionReview }[] =
    []
  misbehave: Misbehaviour | undefined
  readonly #server: Server

  private constructor(server: Server, caBundle: string) {
    this.#server = server
    this.caBundle = caBundle
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.#answer(request, response)
    })
  }

  static async open(): Promise<ConversionServer> {
    const ca = await authority('conversion')
    const own = await certificate({ cn: 'hook', uses: [serverUse], hosts: ['127.0.0.1'] }, ca)
    const server = createServer({ cert: own.cert, key: own.key })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new ConversionServer(server, Buffer.from(ca.cert).toString('base64'))
  }

  get clientConfig(): { url: string; caBundle: string } {
    const { port } = this.#server.address() as AddressInfo // it listens
    return { url: `https://127.0.0.1:${port}/convert`, caBundle: this.caBundle }
  }

  /** Names and desired versions of the objects of each call. */
  get asked(): string[] {
    return this.calls.map(({ review: { request } }) => {
      const names = request.objects.map(({ metadata }) => String(metadata['name']))
      return `${request.desiredAPIVersion.split('/')[1]}: ${names.join(', ')}`
    })
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, http: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const review = JSON.parse(Buffer.concat(chunks).toString()) as ConversionReview
    this.calls.push({ url: request.url ?? '', headers: request.headers, review })
    const { uid, desiredAPIVersion, objects } = review.request
    const convertedObjects = objects.map((object) => converted(object, desiredAPIVersion))
    const made = { uid, result: { status: 'Success' }, convertedObjects }
    const response = this.misbehave === undefined ? made : this.misbehave(made, http)
    if (response === undefined) return
    http.setHeader('content-type', 'application/json')
    http.end(JSON.stringify({ kind: review.kind, apiVersion: review.apiVersion, response }))
  }
}

const names: Readonly<Record<string, string>> = { v1: 'size', v2: 'count' }

function converted({ spec, ...object }: Converted, apiVersion: string): Converted {
  const from = names[object.apiVersion.split('/')[1] ?? ''] ?? ''
  const to = names[apiVersion.split('/')[1] ?? ''] ?? ''
  const { [from]: amount, ...rest } = spec
  return { ...object, apiVersion, spec: amount === undefined ? rest : { ...rest, [to]: amount } }
}
