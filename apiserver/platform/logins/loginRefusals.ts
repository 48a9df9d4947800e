import { StatusError } from '../../meta/status.ts'

/** A login that the provider grants and the platform does not. */
export function forbiddenLogin(message: string): StatusError {
  return new StatusError(403, 'Forbidden', message)
}

/** What a provider or a browser sent does not belong to a login that was begun here. */
export function brokenLogin(message: string, cause?: unknown): StatusError {
  return new StatusError(401, 'Unauthorized', message, { cause })
}

/** The provider cannot be asked. Other ways to log in are of use. */
function providerUnavailable(displayName: string, cause?: unknown): StatusError {
  const message = `the provider ${displayName} cannot be reached or does not answer as it should; please try again later, or log in another way`
  return new StatusError(503, 'ServiceUnavailable', message, {
    cause,
    details: { retryAfterSeconds: 10 },
  })
}

/** Asks a provider. @throws StatusError ServiceUnavailable where it fails. */
export async function asking<T>(displayName: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof StatusError ? error : providerUnavailable(displayName, error)
  }
}
