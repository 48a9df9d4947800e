import { isHttpUrl } from '../../meta/httpUrl.ts'
import { badRequest } from '../../meta/statusErrors.ts'
import { isLoopback } from './loopback.ts'
import { continuationOf } from './pages/browserSession.ts'

/** The continuation of a successful login. */
export interface LoginTarget {
  /** True if a command-line client waits for it. */
  isCli: boolean
  /** Set if the client gets a one-time code instead of the access key. */
  client?: ClientRequest
  /** Id of the pending request to the platform's OpenID provider; it is safe in a URL. */
  oidc?: string
  /** Tab of the web console that started the login. */
  console?: ConsoleTarget
}

/** Values of the console for its return; both are safe in a URL. */
export interface ConsoleTarget {
  /** SHA-256 of the verifier that only the tab knows, in base64url. */
  challenge: string
  /** Returned unchanged. */
  state: string
}

/**
 * Login requested by a command-line client or by a web application. Source: RFC 6749, 4.1.1; RFC 7636; RFC 8252, 7.3.
 */
export interface ClientRequest {
  /** SHA-256 of the client's secret, in base64url. */
  challenge: string
  /** Passed back to the client. */
  state: string
  /** Address on the user's machine or of the application that receives the code; absent: the user copies the code. */
  redirect?: string
}

/**
 * The continuation in the parameters of the login page, which its forms and links pass on.
 * @param returns addresses of applications that a login may return to.
 */
export function loginTarget(fields: URLSearchParams, returns: readonly string[]): LoginTarget {
  const oidc = fields.get('oidc')
  const client = clientRequest(fields, returns)
  return {
    isCli: fields.get('cli') === 'true',
    ...(client === undefined ? {} : { client }),
    ...(oidc === null || continuationOf(oidc) === undefined ? {} : { oidc }),
    ...consoleTarget(fields.get('console') ?? '', fields.get('state') ?? ''),
  }
}

/** Checks a client's request. @throws StatusError BadRequest if the login cannot be returned to the client. */
export function checkClientRequest(fields: URLSearchParams, returns: readonly string[]): void {
  const isAsked = ['code_challenge', 'redirect_uri'].some((name) => fields.has(name))
  if (!isAsked || clientRequest(fields, returns) !== undefined) return
  throw badRequest(
    'a command-line client has to send a code_challenge with the method S256, a state, and a redirect_uri of http on this machine or none; an application, a redirect_uri that the configuration lists in auth.redirectURIs',
  )
}

/** Addresses of applications that a login may return to. @param auth `status.auth` of the configuration. */
export function allowedReturns(auth: Readonly<Record<string, unknown>>): readonly string[] {
  // Sound by the schema of the configuration.
  return (auth['redirectURIs'] ?? []) as readonly string[]
}

function clientRequest(
  fields: URLSearchParams,
  returns: readonly string[],
): ClientRequest | undefined {
  const challenge = fields.get('code_challenge') ?? ''
  const state = fields.get('state') ?? ''
  const redirect = fields.get('redirect_uri')
  const isSound =
    fields.get('code_challenge_method') === 'S256' &&
    /^[\w-]{43}$/.test(challenge) &&
    /^[\w-]{16,128}$/.test(state) &&
    (isListed(redirect, returns) ||
      (fields.get('cli') === 'true' && (redirect === null || isLoopback(redirect))))
  if (!isSound) return undefined
  return { challenge, state, ...(redirect === null ? {} : { redirect }) }
}

/**
 * Reports whether an address is allowed. It must equal an allowed address, since a code must not be
 * sent anywhere else.
 */
function isListed(redirect: string | null, returns: readonly string[]): redirect is string {
  if (redirect === null || !returns.includes(redirect)) return false
  return isLoopback(redirect) || (redirect.startsWith('https://') && isHttpUrl(redirect))
}

function consoleTarget(challenge: string, state: string): Pick<LoginTarget, 'console'> {
  const isValid = /^[\w-]{43}$/.test(challenge) && /^[\w-]{16,64}$/.test(state)
  return isValid ? { console: { challenge, state } } : {}
}

/** Query that passes the target on; empty: no target. */
export function targetQuery({ isCli, client, oidc, console }: LoginTarget): string {
  const query = new URLSearchParams({
    ...(isCli ? { cli: 'true' } : {}),
    ...(client === undefined ? {} : clientFields(client)),
    ...(oidc === undefined ? {} : { oidc }),
    ...(console === undefined ? {} : { console: console.challenge, state: console.state }),
  }).toString()
  return query === '' ? '' : `?${query}`
}

function clientFields({ challenge, state, redirect }: ClientRequest): Record<string, string> {
  return {
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
    ...(redirect === undefined ? {} : { redirect_uri: redirect }),
  }
}

/** The client's address with a code. */
export function clientAddress(redirect: string, state: string, code: string): string {
  const address = new URL(redirect)
  address.searchParams.set('code', code)
  address.searchParams.set('state', state)
  return address.href
}
