import { once } from 'node:events'
import { acceptsGzip, gzipThreshold } from '../encoding/gzip.ts'
import type { Exchange } from './exchange.ts'
import { start, writeBody } from './response.ts'

const comma = Buffer.from(',')

/** A list body in parts: `segments`, the empty ones left out, are joined by commas. */
export interface SegmentedBody {
  head: Buffer
  segments: readonly Buffer[]
  tail: Buffer
}

/** Writes a list body part by part, waiting wherever the client is slow: no large copy, and nothing queued for it. */
export async function writeSegments(exchange: Exchange, body: SegmentedBody): Promise<void> {
  const parts = joined(body)
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const { response, request } = exchange
  const isCompressed = length > gzipThreshold && acceptsGzip(request.headers['accept-encoding'])
  if (isCompressed || length <= gzipThreshold) {
    await writeBody(exchange, Buffer.concat(parts, length), {
      code: 200,
      mediaType: 'application/json',
    })
    return
  }
  start(exchange, 200, { 'Content-Type': 'application/json', 'Content-Length': length })
  // One listener for all parts; an error closes the response too.
  const closed = once(response, 'close').catch(() => undefined)
  for (const part of parts) {
    if (response.destroyed) return
    if (!response.write(part)) await Promise.race([once(response, 'drain'), closed])
  }
  response.end()
}

function joined({ head, segments, tail }: SegmentedBody): Buffer[] {
  const parts = [head]
  for (const segment of segments) {
    if (segment.length === 0) continue
    if (parts.length > 1) parts.push(comma)
    parts.push(segment)
  }
  parts.push(tail)
  return parts
}
