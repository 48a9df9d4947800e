import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

const timeoutMs = 10_000

/** Posts JSON. @throws Error if there is no response within ten seconds, or its status is not 2xx. */
export function postJson(url: string, body: string): Promise<void> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, timeout: timeoutMs }, (response) => {
      response.resume()
      const { statusCode = 0 } = response
      if (statusCode >= 200 && statusCode < 300) resolve()
      else reject(new Error(`${url} answered with status ${statusCode}`))
    })
    sent.on('timeout', () => sent.destroy(new Error(`${url} does not answer`)))
    sent.on('error', reject)
    sent.end(body)
  })
}
