/** A finished server span. Times in milliseconds since the epoch. */
export interface Span {
  traceId: string
  spanId: string
  parentId: string | undefined
  name: string
  began: number
  ended: number
  /** Status code of the response. */
  code: number
  attributes: Readonly<Record<string, string | number>>
}

const serverKind = 2
const errorCode = 2

/** The body of an export request. Source: OpenTelemetry Protocol, trace.proto and its JSON mapping. */
export function otlpBody(spans: readonly Span[], version: string): string {
  const scope = { name: 'platform-apiserver', version }
  const resource = attributesOf({ 'service.name': scope.name, 'service.version': version })
  const scopeSpans = [{ scope, spans: spans.map(spanOf) }]
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: resource }, scopeSpans }] })
}

function spanOf({ traceId, spanId, parentId, name, began, ended, code, attributes }: Span): object {
  return {
    traceId,
    spanId,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name,
    kind: serverKind,
    startTimeUnixNano: nanoseconds(began),
    endTimeUnixNano: nanoseconds(ended),
    attributes: attributesOf(attributes),
    // Client errors are not errors of a server span.
    status: code >= 500 ? { code: errorCode } : {},
  }
}

/** Nanoseconds as a string: the mapping represents 64-bit numbers as strings. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n)
}

function attributesOf(attributes: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }))
}

function valueOf(value: string | number): object {
  if (typeof value === 'string') return { stringValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
