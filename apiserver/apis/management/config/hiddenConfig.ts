import type { ApiObject } from '../../../meta/types.ts'

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * The object without the last-applied annotation, which repeats the whole document including
 * secrets.
 */
export function withoutLastApplied(object: ApiObject): ApiObject {
  const { annotations, ...metadata } = object.metadata
  if (annotations === undefined) return object
  const { [lastApplied]: _, ...shown } = annotations
  const isBare = Object.keys(shown).length === 0
  return { ...object, metadata: isBare ? metadata : { ...metadata, annotations: shown } }
}

/**
 * Object that a client meant to send after it saw a masked document: a document equal to `shown`
 * becomes the `stored` one, and the hidden annotation stays unless the client sends a new one.
 */
export function withHidden(
  sent: ApiObject,
  { shown, stored }: { shown: ApiObject; stored: ApiObject },
): ApiObject {
  const isUnchanged = rawTextOf(sent) !== undefined && rawTextOf(sent) === rawTextOf(shown)
  const next = isUnchanged ? { ...sent, spec: stored['spec'] } : sent
  const hidden = stored.metadata.annotations?.[lastApplied]
  if (hidden === undefined) return next
  const annotations = { [lastApplied]: hidden, ...sent.metadata.annotations }
  return { ...next, metadata: { ...next.metadata, annotations } }
}

function rawTextOf(object: ApiObject): string | undefined {
  // Guaranteed by the schema.
  return (object['spec'] as { raw?: string } | undefined)?.raw
}
