import { IncomingMessage, ServerResponse } from 'node:http'
import express, { type Express } from 'express'
import type { Serve } from './serve.ts'

/** Express is the outer shell alone: the API has its own path parser. */
export function expressShell(serve: Serve): Express {
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

/** Request and response constructors whose prototypes express is told to use. It otherwise changes the prototype of each
 *  request and response to its own, which makes every later access slow; what its own would add is not used here. A
 *  constructor that calls Node's as a function would be as slow: the object gets no room for the members of Node's. */
export function expressConstructors(app: Express): HttpConstructors {
  class Request extends IncomingMessage {}
  Object.defineProperty(Request.prototype, 'upgrade', upgradeOfWebSockets)
  Object.assign(app, { request: Request.prototype, response: ServerResponse.prototype })
  return { request: Request, response: ServerResponse }
}

interface OfferingRequest extends IncomingMessage {
  offersUpgrade?: boolean
}

/** Node hands a request that offers an upgrade over with its body unread. Only what can become a websocket is handed
 *  over; any other offer (of HTTP/2, by some clients with each request) is ignored, and the request answered as it is.
 *  Source: RFC 9110 section 7.8. */
const upgradeOfWebSockets: PropertyDescriptor = {
  get(this: OfferingRequest): boolean {
    if (this.offersUpgrade !== true) return false
    return this.method === 'CONNECT' || (this.method === 'GET' && isWebSocket(this))
  },
  set(this: OfferingRequest, offers: boolean) {
    this.offersUpgrade = offers
  },
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}
