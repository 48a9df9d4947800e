import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'
import type { Serve } from './serve.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Serves pages outside the API through express; the API has its own path parser. Express is loaded
 * for the first such page, so that the start does not wait for it.
 */
export function expressShell(serve: Serve, { request, response }: HttpConstructors): Handler {
  let loading: Promise<Express> | undefined
  let loaded: Express | undefined
  return (incoming, outgoing) => {
    if (loaded !== undefined) return void loaded(incoming, outgoing)
    loading ??= loadExpress(serve)
    loading
      .then((app) => {
        loaded = Object.assign(app, { request: request.prototype, response: response.prototype })
        loaded(incoming, outgoing)
      })
      .catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined))
  }
}

async function loadExpress(serve: Serve): Promise<Express> {
  const { default: express } = await import('express')
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.use((request, response) => serve(request, response))
  return app
}

export interface HttpConstructors {
  request: typeof IncomingMessage
  response: typeof ServerResponse
}

/**
 * Request and response constructors with the prototypes that express uses. By default, express sets the prototype of
 * each request and response to its own, which slows down every later access; the methods that it would add are not used
 * here. A constructor that calls Node's as a function would be as slow: the object has no room for Node's members.
 */
export function httpConstructors(): HttpConstructors {
  class Request extends IncomingMessage {}
  Object.defineProperty(Request.prototype, 'upgrade', upgradeOfWebSockets)
  return { request: Request, response: ServerResponse }
}

interface OfferingRequest extends IncomingMessage {
  offersUpgrade?: boolean
}

/**
 * Node hands over a request that offers an upgrade before its body is read. Two offers are handed
 * over: a websocket, and the older stream protocol, which has no body and which servers behind this
 * one may accept. Any other offer, such as HTTP/2, which some clients offer with each request, is
 * ignored, and the request is served normally.
 * Source: RFC 9110 section 7.8.
 */
const upgradeOfWebSockets: PropertyDescriptor = {
  get(this: OfferingRequest): boolean {
    if (this.offersUpgrade !== true) return false
    if (this.method === 'CONNECT') return true
    return this.method === 'GET' ? isWebSocket(this) || isSpdy(this) : isSpdy(this)
  },
  set(this: OfferingRequest, offers: boolean) {
    this.offersUpgrade = offers
  },
}

function isSpdy({ method, headers }: IncomingMessage): boolean {
  const { upgrade, 'content-length': length = '0', 'transfer-encoding': encoding } = headers
  const isBare = length === '0' && encoding === undefined
  return (method === 'GET' || method === 'POST') && isBare && /^spdy\/3\.1$/i.test(upgrade ?? '')
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}
