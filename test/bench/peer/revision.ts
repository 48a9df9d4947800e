import { request } from 'node:https'
import type { Contestant } from './contestant.ts'

/** Newest revision, according to a list without matches. */
export async function revisionOf({ port, token, collection }: Contestant): Promise<string> {
  const path = `${collection}?labelSelector=none%3Dnone`
  const headers = { authorization: `Bearer ${token}` }
  const options = { host: '127.0.0.1', port, path, headers, agent: false }
  const body = await new Promise<string>((resolve, reject) => {
    // The certificate is irrelevant to the measurement.
    request({ ...options, rejectUnauthorized: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => resolve(text))
    })
      .on('error', reject)
      .end()
  })
  // The response is a list.
  return (JSON.parse(body) as { metadata: { resourceVersion: string } }).metadata.resourceVersion
}
