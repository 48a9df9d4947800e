import { request } from 'node:https'

/** Server to compare: its API below `url`, with a bearer token. Its certificate is not verified. */
export interface Server {
  url: string
  token: string
}

export interface Answer {
  code: number
  body: string
}

/** GET request with a timeout of a minute. */
export function get(server: Server, path: string, accept = 'application/json'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      server.url + path,
      {
        headers: { authorization: `Bearer ${server.token}`, accept },
        rejectUnauthorized: false,
        timeout: 60_000,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          resolve({ code: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() })
        })
      },
    )
    sent.on('timeout', () => sent.destroy(new Error(`no answer to ${path}`)))
    sent.on('error', reject)
    sent.end()
  })
}

/** Body as JSON, or as a string if it is not JSON. */
export async function getJson(server: Server, path: string, accept?: string): Promise<unknown> {
  const { body } = await get(server, path, accept)
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
