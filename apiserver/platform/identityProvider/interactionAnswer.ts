import type Provider from 'oidc-provider'
import type { StatusError } from '../../meta/status.ts'
import { badRequest } from '../../meta/statusErrors.ts'
import { writeAnswer } from '../logins/pages/loginResponse.ts'
import type { LoginExchange } from '../logins/pages/loginExchange.ts'
import type { BrowserUser } from './browserUser.ts'
import { isAnsweredByAny } from './interactions.ts'

export interface InteractionRequest {
  provider: Provider
  /** Id in the path. */
  id: string
  user: BrowserUser | undefined
  /** Prefix of annotations in the audit log. */
  domain: string
}

/**
 * Serves the step between a client's request and its response: a logged-in user continues, others go to the login page,
 * and return here. @throws StatusError BadRequest if this browser started no such request.
 */
export async function answerInteraction(
  exchange: LoginExchange,
  { provider, id, user, domain }: InteractionRequest,
): Promise<void> {
  const { request, response, audit } = exchange
  const details = await provider.interactionDetails(request, response).catch(refuse)
  if (details.uid !== id) throw unknown()
  if (details.prompt.name !== 'login') {
    // The administrator who registered the client has consented already.
    const merged = { mergeWithLastSubmission: true }
    await provider.interactionFinished(request, response, { consent: {} }, merged)
    return
  }
  if (user === undefined || !isAnswer(details, user)) {
    // The browser's earlier login does not count as a new one.
    const asked = { asked: user?.login ?? '' }
    await provider.interactionResult(request, response, asked, { mergeWithLastSubmission: false })
    writeAnswer(exchange, { code: 303, headers: { Location: `/login?oidc=${id}` } })
    return
  }
  audit?.annotate(`${domain}/user`, user.account.user)
  audit?.annotate(`${domain}/client`, String(details.params['client_id']))
  const login = { accountId: user.account.id, ts: user.loggedInAt, remember: false }
  await provider.interactionFinished(request, response, { login })
}

type Details = Awaited<ReturnType<Provider['interactionDetails']>>

function isAnswer({ prompt, result }: Details, { login }: BrowserUser): boolean {
  if (isAnsweredByAny(prompt.reasons)) return true
  const asked = result?.['asked']
  return asked !== undefined && asked !== login
}

/** Converts errors of the library about an unknown browser into BadRequest; other errors are rethrown. */
function refuse(error: unknown): never {
  const isBrowsers = error instanceof Error && 'expose' in error && error.expose === true
  throw isBrowsers ? unknown(error) : error
}

function unknown(cause?: unknown): StatusError {
  return badRequest(
    'this login is not known any more: it was finished, took too long, or was begun in another browser; please begin again at the application',
    cause,
  )
}
