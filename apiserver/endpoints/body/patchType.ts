import { routeUnsupportedMediaType, unsupportedMediaType } from '../../meta/statusErrors.ts'
import { strategicMergePatchType } from '../../registry/resource.ts'
import type { Exchange } from '../exchange.ts'

/** Which of the `supported` kinds of patch a request brings. The built-in kinds take every one, and what is none of them
 *  no route matches; custom kinds name those they take. @throws StatusError UnsupportedMediaType.
 *  Source: reference 1.5, 3.9. */
export function patchType({ request }: Exchange, supported: readonly string[]): string {
  const [contentType = ''] = (request.headers['content-type'] ?? '').split(';', 1)
  // Compared as it is spelt, unlike the type of an object's body.
  const mediaType = contentType.trim()
  if (supported.includes(mediaType)) return mediaType
  if (supported.includes(strategicMergePatchType)) throw routeUnsupportedMediaType()
  throw unsupportedMediaType(supported)
}
