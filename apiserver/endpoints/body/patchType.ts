import { routeUnsupportedMediaType, unsupportedMediaType } from '../../meta/statusErrors.ts'
import { strategicMergePatchType } from '../../registry/resource.ts'
import type { Exchange } from '../exchange.ts'

/**
 * The type of a patch among the `supported` ones. Built-in kinds accept every type, and no route matches others; custom
 * kinds list theirs in the error. @throws StatusError UnsupportedMediaType.
 * Source: reference 1.5, 3.9.
 */
export function patchType({ request }: Exchange, supported: readonly string[]): string {
  const [contentType = ''] = (request.headers['content-type'] ?? '').split(';', 1)
  // Compared case-sensitively, unlike the type of an object's body.
  const mediaType = contentType.trim()
  if (supported.includes(mediaType)) return mediaType
  if (supported.includes(strategicMergePatchType)) throw routeUnsupportedMediaType()
  throw unsupportedMediaType(supported)
}
