import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DelegateAddress } from '../../../apiserver/authentication/delegation/kubeconfigFile.ts'

export interface Asked {
  method: string
  path: string
  authorization: string | undefined
  body: unknown
}

type Answer = (asked: Asked, response: ServerResponse) => void

/** API server whose responses a test defines. */
export interface DelegateServer {
  url: string
  asked: Asked[]
  answer: Answer
  stop(): Promise<void>
}

export async function startDelegate(): Promise<DelegateServer> {
  const delegate: DelegateServer = {
    url: '',
    asked: [],
    answer: (_asked, response) => json(response, 404, { message: 'not found' }),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer((request, response) => {
    void askedOf(request).then((asked) => {
      delegate.asked.push(asked)
      delegate.answer(asked, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server has an address object.
  delegate.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return delegate
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export function addressOf(server: string): DelegateAddress {
  return {
    server,
    ca: undefined,
    skipTlsVerify: false,
    tlsServerName: undefined,
    certificate: undefined,
    token: 'delegate-token',
    tokenFile: undefined,
  }
}

async function askedOf(request: IncomingMessage): Promise<Asked> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += String(part)
  const { method = '', url = '', headers } = request
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  return { method, path: url, authorization: headers.authorization, body }
}
