import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
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

/** Request and response constructors whose prototypes are already express's. Express otherwise changes the prototype
 *  of each request and response, which makes every later access slow. */
export function expressConstructors(app: Express): HttpConstructors {
  function Request(this: object, socket: Socket): void {
    Reflect.apply(IncomingMessage, this, [socket])
    Object.assign(this, { res: undefined, next: undefined, params: undefined, route: undefined })
    Object.assign(this, { _parsedUrl: undefined, baseUrl: '', originalUrl: '' })
  }
  function Response(this: object, request: IncomingMessage, options?: object): void {
    Reflect.apply(ServerResponse, this, [request, options])
    Object.assign(this, { locals: undefined })
  }
  Object.defineProperty(app.request, 'upgrade', upgradeOfWebSockets)
  Request.prototype = app.request
  Response.prototype = app.response
  // Node calls them with `new` and looks at nothing but the prototype and what the constructor set.
  return {
    request: Request as unknown as typeof IncomingMessage,
    response: Response as unknown as typeof ServerResponse,
  }
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
