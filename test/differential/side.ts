import { request as plainRequest, type Agent, type IncomingMessage } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Answer, Call } from './call.ts'

/** Time without data after which a stream counts as complete. */
const silenceMs = 700
const answerMs = 20_000

/** Server under comparison. */
export interface Side {
  name: 'ours' | 'peer'
  port: number
  secure: boolean
  tokens: { admin: string; bob: string }
  /** Prefix of every path. Default: none. */
  prefix?: string
  /** URL over TLS, for clients that send tokens only there. Default: that of the port. */
  secureUrl?: string
  /** Agent that keeps connections alive. Default: a connection for each request. */
  agent?: Agent
}

/**
 * Sends a request and reads the whole response, or, of a stream, what the call requests. @throws
 * Error without a response.
 */
export async function send(side: Side, call: Call): Promise<Answer> {
  const response = await begin(side, call)
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  )
  const status = response.statusCode ?? 0
  const isStream = call.lines !== undefined && status === 200
  const text = isStream ? streamed(response, call.lines ?? 0) : whole(response)
  for (const write of call.during ?? []) await send(side, write)
  return { status, headers, body: await text }
}

function begin(side: Side, call: Call): Promise<IncomingMessage> {
  const { method = 'GET', path, body } = call
  const content = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  const headers = { ...standing(side, call), ...lengthOf(content), ...call.headers }
  const { port, prefix = '', agent = false } = side
  const options = { host: '127.0.0.1', port, method, path: prefix + path, headers, agent }
  return new Promise((resolve, reject) => {
    // The peer creates a self-signed certificate at every start.
    const request = side.secure
      ? secureRequest({ ...options, rejectUnauthorized: false }, resolve)
      : plainRequest(options, resolve)
    request.setTimeout(answerMs, () => request.destroy(new Error(`${side.name}: no answer`)))
    request.on('error', reject).end(content)
  })
}

function standing({ tokens }: Side, { as, body }: Call): Record<string, string> {
  const token = as === 'bob' ? tokens.bob : tokens.admin
  return {
    'user-agent': 'differential/1.0',
    ...(as === 'nobody' ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
}

function lengthOf(content: string | undefined): Record<string, string> {
  return content === undefined ? {} : { 'content-length': String(Buffer.byteLength(content)) }
}

async function whole(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function streamed(response: IncomingMessage, lines: number): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const end = () => {
      clearTimeout(timer)
      resolve(text)
      response.destroy()
    }
    let timer = setTimeout(end, silenceMs)
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      clearTimeout(timer)
      timer = setTimeout(end, silenceMs)
      if (lines > 0 && text.split('\n').length > lines) end()
    })
    response.on('end', end).on('error', end)
  })
}
