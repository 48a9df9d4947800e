/** Position of a request in a trace. Ids are lower-case hex. */
export interface TraceParent {
  traceId: string
  spanId: string
  isSampled: boolean
}

/**
 * Parses a `traceparent` header; undefined: absent or malformed.
 * Source: W3C Trace Context, section 3.2.
 */
export function parseTraceParent(header: string | undefined): TraceParent | undefined {
  const found = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(
    header ?? '',
  )
  if (found === null) return undefined
  const [, version = '', traceId = '', spanId = '', flags = '', rest] = found
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & 1) === 1 }
}

/** Header value for a position. */
export function traceParentText({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
