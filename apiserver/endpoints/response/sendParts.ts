import type { ServerResponse } from 'node:http'
import { isEncrypted, sliceBytes, writeSlices } from '../../meta/waiting/writeSlices.ts'

/**
 * Sends a body and ends the response, in one write if the body is small. A large body is sent at the pace of the client,
 * without keeping the caller waiting. Encrypted connections get it in slices.
 */
export function sendParts(response: ServerResponse, parts: readonly Buffer[]): void {
  const last = parts.at(-1) ?? Buffer.alloc(0)
  if (isPlain(response)) {
    for (const part of parts.slice(0, -1)) response.write(part)
    response.end(last)
    return
  }
  const rest = Math.max(0, last.length - sliceBytes)
  // The last slice ends the response: in HTTP/2, a separate end is another frame.
  const end = () => void response.end(last.subarray(rest))
  const first = [...parts.slice(0, -1), last.subarray(0, rest)]
  if (writeSlices(response, first, end)) end()
}

/** Reports whether the response shares its buffers with others until the client has read them. */
function isPlain({ req, socket }: ServerResponse): boolean {
  return req.httpVersionMajor === 1 && socket !== null && !isEncrypted(socket)
}
