import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { errorPage, page, pageHeaders, text } from '../logins/pages/loginPages.ts'

type Context = KoaContextWithOIDC

const policy = 'Content-Security-Policy'

/** Asks whether to log out: another site may have sent the browser here. @param form a form without buttons. */
export function logoutPage(context: Context, form: string): void {
  const { client, params } = context.oidc
  const name = client?.clientName ?? client?.clientId
  const from = name === undefined ? '' : ` You come from ${text(name)}.`
  const main = `<p>This ends your login here and at the applications that you use it for.${from}</p>
${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Log out</button>
<button type="submit" form="op.logoutForm">Stay logged in</button>`
  write(context, page('Log out?', main), headersFor(params?.['post_logout_redirect_uri']))
}

/** From its form the browser goes on to where the client wants it, which the policy of a page stops otherwise. */
function headersFor(target: unknown): typeof pageHeaders {
  if (typeof target !== 'string') return pageHeaders
  const allowed = `form-action 'self' ${new URL(target).origin}`
  const own = pageHeaders[policy] ?? ''
  return { ...pageHeaders, [policy]: own.replace("form-action 'self'", allowed) }
}

export function loggedOutPage(context: Context): void {
  const { client } = context.oidc
  // The library names a client where the user stayed logged in, and is logged out of that client alone.
  const name = client?.clientName ?? client?.clientId
  const main =
    name === undefined
      ? '<p>Your login has ended.</p>'
      : `<p>You are logged out of ${text(name)}, and still logged in here.</p>`
  write(context, page('Logged out', main))
}

export function errorAnswerPage(
  context: Context,
  { error, error_description: description }: ErrorOut,
): void {
  write(context, errorPage(description ?? error))
}

/** What the configuration sets is there already, and stays. */
function write(context: Context, body: string, headers = pageHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (context.response.get(name) === '') context.set(name, value)
  }
  context.type = 'html'
  context.body = body
}
