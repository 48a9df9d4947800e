import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'

/**
 * Sends a request of sample.ts and returns the body of a 200. @throws Error for another response.
 */
export async function fetchBody({ port }: { port: number }, request: string): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1' })
  const chunks: Buffer[] = []
  // With this header the server ends the stream after the response.
  socket.write(request.replace('\r\n', '\r\nConnection: close\r\n'), 'latin1')
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const answer = Buffer.concat(chunks)
  const end = answer.indexOf('\r\n\r\n')
  const head = answer.toString('latin1', 0, end)
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`unexpected answer: ${answer.toString()}`)
  const body = answer.subarray(end + 4)
  return /\r\ncontent-encoding: gzip/i.test(head) ? gunzipSync(body) : body
}
