import { StatusError } from '../../meta/status.ts'

/** Error for a login that the provider allows but the platform does not. */
export function forbiddenLogin(message: string): StatusError {
  return new StatusError(403, 'Forbidden', message)
}

/** An error for data of a provider or browser that belongs to no login started here. */
export function brokenLogin(message: string, cause?: unknown): StatusError {
  return new StatusError(401, 'Unauthorized', message, { cause })
}

/** An error for an unavailable provider. Other login methods may work. */
function providerUnavailable(displayName: string, cause?: unknown): StatusError {
  const message = `the provider ${displayName} cannot be reached or sent an invalid response; try again later or use another login method`
  return new StatusError(503, 'ServiceUnavailable', message, {
    cause,
    details: { retryAfterSeconds: 10 },
  })
}

/** Sends a request to a provider. @throws StatusError ServiceUnavailable if it fails. */
export async function asking<T>(displayName: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof StatusError ? error : providerUnavailable(displayName, error)
  }
}
