import { createServer, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { authority, certificate, serverUse } from '../certificates.ts'

/** Request of an AdmissionReview. */
export interface ReviewRequest {
  uid: string
  name?: string
  operation: string
  object: Record<string, unknown> | null
  oldObject: Record<string, unknown> | null
  [field: string]: unknown
}

/** Fields of a webhook's response besides the uid. */
export type ReviewAnswer = Record<string, unknown>

/** Behaviour of a path: the response of a review, or the bytes of any response. */
export type Behaviour = (
  request: ReviewRequest,
  raw: { request: IncomingMessage; response: ServerResponse },
) => ReviewAnswer | undefined

interface Bundles {
  caBundle: string
  leafBundle: string
}

/**
 * Webhook server on a free port of 127.0.0.1: each path behaves as configured, and every review is
 * recorded.
 */
export class WebhookServer {
  /** PEM in base64, as in configurations. */
  readonly caBundle: string
  /** The server's own certificate, in the same form. */
  readonly leafBundle: string
  readonly reviews: {
    path: string
    request: ReviewRequest
    headers: IncomingMessage['headers']
  }[] = []
  /** Behaviours by path. */
  readonly behaviours = new Map<string, Behaviour>()
  readonly #server: Server
  connections = 0

  private constructor(server: Server, { caBundle, leafBundle }: Bundles) {
    this.#server = server
    this.caBundle = caBundle
    this.leafBundle = leafBundle
    server.on('secureConnection', () => this.connections++)
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.#answer(request, response)
    })
  }

  /** @param hosts additional names in its certificate. */
  static async open(hosts: readonly string[] = []): Promise<WebhookServer> {
    const ca = await authority('webhooks')
    const all = ['127.0.0.1', 'localhost', ...hosts]
    const own = await certificate({ cn: 'webhook', uses: [serverUse], hosts: all }, ca)
    const server = createServer({ cert: own.cert, key: own.key })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const [caBundle, leafBundle] = [ca, own].map(({ cert }) => Buffer.from(cert).toString('base64'))
    return new WebhookServer(server, { caBundle, leafBundle } as Bundles) // two were mapped
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port // it listens
  }

  url(path: string): string {
    return `https://127.0.0.1:${this.port}${path}`
  }

  on(path: string, behaviour: Behaviour): void {
    this.behaviours.set(path, behaviour)
  }

  /** Webhook of a configuration that calls a path. */
  webhook(path: string, rest: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      name: `${path.slice(1)}.example.dev`,
      clientConfig: { url: this.url(path), caBundle: this.caBundle },
      rules: [
        {
          operations: ['*'],
          apiGroups: [''],
          apiVersions: ['v1'],
          resources: ['configmaps'],
        },
      ],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      namespaceSelector: { matchLabels: { hooked: 'yes' } },
      ...rest,
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const path = new URL(request.url ?? '', 'https://x').pathname
    const review = JSON.parse(Buffer.concat(chunks).toString()) as { request: ReviewRequest }
    this.reviews.push({ path, request: review.request, headers: request.headers })
    const behaviour = this.behaviours.get(path) ?? (() => ({ allowed: true }))
    const answer = behaviour(review.request, { request, response })
    if (answer === undefined) return
    const body = {
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      response: { uid: review.request.uid, ...answer },
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(body))
  }
}

/** Response with a JSON patch. */
export function patching(...operations: readonly object[]): ReviewAnswer {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64')
  return { allowed: true, patchType: 'JSONPatch', patch }
}
