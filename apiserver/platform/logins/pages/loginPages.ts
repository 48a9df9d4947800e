import { createHash } from 'node:crypto'
import { targetQuery, type LoginTarget } from '../loginTarget.ts'

/** Address at which the platform's command-line client waits for a login. Source: platform facts 3.2. */
const cliAddress = 'http://localhost:25843/login'

/** Default style of a page. */
export const pageStyle = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
body { margin: 0; display: grid; place-items: center; min-height: 100vh }
main { width: min(26rem, 90vw); padding: 2rem 0 }
h1 { font-size: 1.4rem; margin: 0 0 1rem }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem }
ul { list-style: none; margin: 0; padding: 0 }
label { display: block; margin: .75rem 0 .25rem }
input, button, .button { font: inherit; box-sizing: border-box; width: 100%; padding: .55rem .7rem; border: 1px solid; border-radius: .4rem }
button, .button { display: block; margin-top: .75rem; text-align: center; text-decoration: none; cursor: pointer; background: #1d4ed8; border-color: #1d4ed8; color: #fff }
button:focus-visible, .button:focus-visible, input:focus-visible, a:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px }
footer { margin-top: 2rem; font-size: .85rem; overflow-wrap: anywhere }
.logo { margin-bottom: 1.5rem; text-align: center }
.logo img { max-width: 100%; max-height: 6rem }
[role=alert] { border-left: 4px solid #b91c1c; padding-left: .75rem }
`

/** Headers that restrict a page: it can only show its own style, and submit its own form here. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
}

export interface LoginChoices {
  target: LoginTarget
  hasPassword: boolean
  providers: readonly { id: string; displayName: string }[]
}

/** The page with the login methods. */
export function loginPage({ target, hasPassword, providers }: LoginChoices): string {
  const query = escapedText(targetQuery(target))
  const links = providers.map(
    ({ id, displayName }) =>
      `<li><a class="button" href="/auth/${encodeURIComponent(id)}/login${query}">Log in with ${escapedText(displayName)}</a></li>`,
  )
  const parts = [
    hasPassword ? passwordForm(query) : '',
    links.length === 0 ? '' : `<h2>Single sign-on</h2>\n<ul role="list">${links.join('\n')}</ul>`,
    hasPassword || links.length > 0 ? '' : '<p>No login method is configured.</p>',
  ]
  return page('Log in', parts.join('\n'))
}

function passwordForm(query: string): string {
  return `<form method="post" action="/auth/password/login${query}">
<label for="username">User name or email address</label>
<input id="username" name="username" autocomplete="username" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Log in</button>
</form>`
}

/** The page at the end of a login: the key, to be sent to a waiting command-line client or to be copied. */
export function signedInPage(user: string, key: string, isCli: boolean): string {
  const send = `${cliAddress}?key=${encodeURIComponent(key)}`
  const cli = isCli
    ? `<p>The command-line client on this machine is waiting.</p>
<a class="button" href="${escapedText(send)}" rel="noreferrer" id="continue">Continue in the command-line client</a>`
    : ''
  return page(
    'You are logged in',
    `<p>You are logged in as <strong>${escapedText(user)}</strong>.</p>
${cli}
<label for="key">${isCli ? 'Or copy this access key' : 'Your access key'}</label>
<input id="key" value="${escapedText(key)}" readonly autocomplete="off" spellcheck="false">
<p>Keep this key secret: anyone who has it can act as you. It is revoked when you log out.</p>`,
  )
}

/** The page at the end of a login for a command-line client on another machine: a code to be copied. */
export function clientCodePage(user: string, code: string): string {
  return page(
    'You are logged in',
    `<p>You are logged in as <strong>${escapedText(user)}</strong>.</p>
<label for="code">Enter this code in the command-line client</label>
<input id="code" value="${escapedText(code)}" readonly autocomplete="off" spellcheck="false">
<p>Enter it only if you started this login yourself. It is valid for five minutes, once.</p>`,
  )
}

/**
 * Page at the end of a login for another application. The browser continues by itself: a redirect would count as a
 * redirect of the form, which the policy restricts to this server. @param path on this server, or an address on the
 * user's machine.
 */
export function goingOnPage(user: string, path: string): string {
  return page(
    'You are logged in',
    `<p>You are logged in as <strong>${escapedText(user)}</strong>.</p>
<a class="button" href="${escapedText(path)}" id="continue">Continue</a>`,
    `<meta http-equiv="refresh" content="0;url=${escapedText(path)}">\n`,
  )
}

export function errorPage(message: string, target: LoginTarget = { isCli: false }): string {
  return page(
    'Login failed',
    `<p role="alert">${escapedText(message)}</p>\n<p><a href="/login${escapedText(targetQuery(target))}">Back to login</a></p>`,
  )
}

/** A whole page. @param main HTML. @param head HTML. */
export function page(title: string, main: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}<title>${escapedText(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>${escapedText(title)}</h1>
${main}
</main>
</body>
</html>
`
}

/** Escapes a string for HTML content and attribute values. */
export function escapedText(raw: string): string {
  return raw
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
