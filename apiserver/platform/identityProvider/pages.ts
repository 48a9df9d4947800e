import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { errorPage, page, pageHeaders, escapedText } from '../logins/pages/loginPages.ts'

type Context = KoaContextWithOIDC

const policy = 'Content-Security-Policy'

/**
 * Asks for confirmation of a logout, since another site may have sent the browser here. @param form a form without
 * buttons.
 */
export function logoutPage(context: Context, form: string): void {
  const { client, params } = context.oidc
  const name = client?.clientName ?? client?.clientId
  const from = name === undefined ? '' : ` You were sent here by ${escapedText(name)}.`
  const main = `<p>This logs you out here and of all applications that use this login.${from}</p>
${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Log out</button>
<button type="submit" form="op.logoutForm">Stay logged in</button>`
  write(context, page('Log out?', main), headersFor(params?.['post_logout_redirect_uri']))
}

/** Headers that allow the form to redirect to the client's address, which the policy of a page forbids otherwise. */
function headersFor(target: unknown): typeof pageHeaders {
  if (typeof target !== 'string') return pageHeaders
  const allowed = `form-action 'self' ${new URL(target).origin}`
  const own = pageHeaders[policy] ?? ''
  return { ...pageHeaders, [policy]: own.replace("form-action 'self'", allowed) }
}

export function loggedOutPage(context: Context): void {
  const { client } = context.oidc
  // The library passes a client if the user is logged out of that client only.
  const name = client?.clientName ?? client?.clientId
  const main =
    name === undefined
      ? '<p>You are logged out.</p>'
      : `<p>You are logged out of ${escapedText(name)}, but still logged in here.</p>`
  write(context, page('Logged out', main))
}

export function errorAnswerPage(
  context: Context,
  { error, error_description: description }: ErrorOut,
): void {
  write(context, errorPage(description ?? error))
}

/** Headers set by the configuration take precedence. */
function write(context: Context, body: string, headers = pageHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (context.response.get(name) === '') context.set(name, value)
  }
  context.type = 'html'
  context.body = body
}
