import type { Configuration, errors, interactionPolicy, KoaContextWithOIDC } from 'oidc-provider'
import { identityProviderPath } from '../logins/pages/browserSession.ts'
import type { BrowserUser } from './browserUser.ts'
import type { ProviderClients } from './clients.ts'

export interface InteractionOptions {
  /** Exports of the library, which is loaded by then. */
  library: { interactionPolicy: typeof interactionPolicy; errors: typeof errors }
  clients: ProviderClients
  userOf: (context: KoaContextWithOIDC) => BrowserUser | undefined
}

const ended = 'login_ended'
/** Reasons that an earlier login satisfies; all others require a new one. */
const answeredByLogin = ['no_session', ended]

/**
 * The policy for logins: required without a session, on request of the client, and as soon as the platform's own login
 * behind the session has ended.
 */
export function interactionsOf({
  library,
  clients,
  userOf,
}: InteractionOptions): NonNullable<Configuration['interactions']> {
  const { Check, base } = library.interactionPolicy
  const policy = base()
  policy.get('login')?.checks.add(
    new Check(ended, 'the login has ended', 'login_required', (context) => {
      const { params, session } = context.oidc
      checkRedirect(params, clients, library.errors)
      const accountId = session?.accountId
      return accountId !== undefined && userOf(context)?.account.id !== accountId
    }),
  )
  return { policy, url: (_context, { uid }) => `${identityProviderPath}/interaction/${uid}` }
}

/** Checks the redirect URI again, since the configuration may have changed since the login started. */
function checkRedirect(
  params: KoaContextWithOIDC['oidc']['params'],
  clients: ProviderClients,
  { InvalidRedirectUri }: typeof errors,
): void {
  const { client_id: clientId, redirect_uri: uri } = params ?? {}
  if (clients.isAllowedRedirect(String(clientId), String(uri))) return
  throw new InvalidRedirectUri()
}

/** Reports whether any login of the browser satisfies the provider's request, including an earlier one. */
export function isAnsweredByAny(reasons: readonly string[]): boolean {
  return reasons.every((reason) => answeredByLogin.includes(reason))
}
