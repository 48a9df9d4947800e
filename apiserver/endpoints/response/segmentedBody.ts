import { acceptsGzip, gzipThreshold } from '../../encoding/gzip.ts'
import { gzipSegments } from '../../encoding/gzipSegments.ts'
import type { Exchange } from '../exchange.ts'
import { holdAnswer } from './holdResponse.ts'
import { start, writeBody } from './response.ts'
import { sendParts } from './sendParts.ts'

const comma = Buffer.from(',')

/** A list body in parts: non-empty `segments` are joined by commas. */
export interface SegmentedBody {
  head: Buffer
  segments: readonly Buffer[]
  tail: Buffer
}

/** Writes a list body part by part, without joining the parts. Does not wait for the client. */
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
  if (!isCompressed) {
    writeParts(exchange, parts, { 'Content-Type': mediaType })
    return
  }
  const segments = body.segments.filter((segment) => segment.length > 0)
  writeParts(exchange, await gzipSegments({ ...body, segments }), {
    'Content-Type': mediaType,
    'Content-Encoding': 'gzip',
    Vary: 'Accept-Encoding',
  })
}

function writeParts(
  exchange: Exchange,
  parts: readonly Buffer[],
  headers: Record<string, string>,
): void {
  holdAnswer(exchange, parts)
  start(exchange, 200, { ...headers, 'Content-Length': lengthOf(parts) })
  sendParts(exchange.response, parts)
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
