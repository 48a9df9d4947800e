/** Body of an error, in wire order. */
export function failure(
  code: number,
  reason: string,
  message: string,
  details?: Record<string, unknown>,
): Record<string, unknown> {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  }
}

export const routeNotFound = failure(
  404,
  'NotFound',
  'the server could not find the requested resource',
  {},
)

export const methodNotAllowed = failure(
  405,
  'MethodNotAllowed',
  'the server does not allow this method on the requested resource',
  {},
)

export function badRequest(message: string): Record<string, unknown> {
  return failure(400, 'BadRequest', message)
}

/** Body of a 422 for the options of a request. */
export function invalidOptions(
  kind: string,
  causes: readonly { reason: string; message: string; field: string }[],
): Record<string, unknown> {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`)
  const shown = texts.length === 1 ? String(texts[0]) : `[${texts.join(', ')}]`
  return failure(422, 'Invalid', `${kind}.meta.k8s.io "" is invalid: ${shown}`, {
    group: 'meta.k8s.io',
    kind,
    causes,
  })
}
