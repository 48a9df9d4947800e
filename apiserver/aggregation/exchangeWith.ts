import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Exchange } from '../endpoints/exchange.ts'
import { joinSockets } from './streamBack.ts'

export interface Answering {
  /** Called with the response, to send it back. */
  answered: (answer: IncomingMessage) => void
  /** Called if the other server cannot be reached and no response has been sent yet. */
  failed: (error: unknown) => void
  /** True if the request upgrades the connection. */
  upgrades: boolean
  hasBody: boolean
}

/**
 * Forwards the body of a request to another server and sends the response back. Resolves when the
 * exchange ends.
 */
export function exchangeWith(
  outgoing: ClientRequest,
  exchange: Exchange,
  { answered, failed, upgrades, hasBody }: Answering,
): Promise<void> {
  const { request, response, takeSocket } = exchange
  return new Promise((resolve) => {
    /** Ends both sides if a step throws, since each step runs in its own event. */
    const tried = (step: () => void) => {
      try {
        step()
      } catch (error) {
        exchange.report(error)
        outgoing.destroy()
        response.destroy()
      }
    }
    outgoing.on('error', (error: unknown) =>
      tried(() => {
        if (response.headersSent) response.destroy()
        else failed(error)
      }),
    )
    outgoing.on('response', (answer) =>
      tried(() => {
        if (response.headersSent || response.destroyed) answer.destroy()
        else answered(answer)
      }),
    )
    outgoing.on('upgrade', (answer, socket, head) =>
      tried(() => {
        const taken = upgrades ? takeSocket?.() : undefined
        if (taken === undefined) socket.destroy()
        else joinSockets({ answer, socket, head }, taken)
      }),
    )
    exchange.onFinish(() => {
      outgoing.destroy()
      resolve()
    })
    exchange.onRevoked(() => {
      outgoing.destroy()
      response.destroy()
    })
    if (upgrades || !hasBody) outgoing.end()
    else {
      request.on('error', () => outgoing.destroy())
      request.pipe(outgoing)
    }
  })
}
