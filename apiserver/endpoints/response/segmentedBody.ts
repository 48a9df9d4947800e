import { once } from 'node:events'
import { acceptsGzip, gzipThreshold } from '../../encoding/gzip.ts'
import { gzipSegments } from '../../encoding/gzipSegments.ts'
import type { Exchange } from '../exchange.ts'
import { holdAnswer } from './holdResponse.ts'
import { start, writeBody } from './response.ts'

const comma = Buffer.from(',')

/** A list body in parts: non-empty `segments` are joined by commas. */
export interface SegmentedBody {
  head: Buffer
  segments: readonly Buffer[]
  tail: Buffer
}

/** Writes a list body part by part, waiting for slow clients: without a large copy or a queue. */
export async function writeSegments(exchange: Exchange, body: SegmentedBody): Promise<void> {
  const parts = joined(body)
  const length = lengthOf(parts)
  const isLarge = length > gzipThreshold
  const isCompressed = isLarge && acceptsGzip(exchange.request.headers['accept-encoding'])
  const mediaType = 'application/json'
  // A single piece was created for this response only: there is nothing to cache.
  if (!isLarge || (isCompressed && body.segments.length === 1)) {
    await writeBody(exchange, Buffer.concat(parts, length), { code: 200, mediaType })
    return
  }
  if (!isCompressed) return writeParts(exchange, parts, { 'Content-Type': mediaType })
  const segments = body.segments.filter((segment) => segment.length > 0)
  await writeParts(exchange, await gzipSegments({ ...body, segments }), {
    'Content-Type': mediaType,
    'Content-Encoding': 'gzip',
    Vary: 'Accept-Encoding',
  })
}

async function writeParts(
  exchange: Exchange,
  parts: readonly Buffer[],
  headers: Record<string, string>,
): Promise<void> {
  const { response } = exchange
  holdAnswer(exchange, parts)
  start(exchange, 200, { ...headers, 'Content-Length': lengthOf(parts) })
  // One listener for all parts; an error closes the response too.
  const closed = once(response, 'close').catch(() => undefined)
  for (const part of parts) {
    if (response.destroyed) return
    if (!response.write(part)) await Promise.race([once(response, 'drain'), closed])
  }
  response.end()
}

function lengthOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
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
