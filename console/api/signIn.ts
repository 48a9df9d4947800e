import { StatusError } from '../watch/statusError.ts'
import { serverBase } from './client.ts'
import type { Session } from './session.ts'

export interface LoginMethods {
  password: boolean
  providers: readonly { id: string; displayName: string }[]
}

interface Info {
  methods?: { password?: { enabled?: boolean }; sso?: { id: string; displayName: string }[] }
}

const pendingKey = 'console-login'

export async function loginMethods(): Promise<LoginMethods> {
  const { methods } = (await get('auth/info')) as Info
  return { password: methods?.password?.enabled === true, providers: methods?.sso ?? [] }
}

/** Creates a login key with a user name and password. @throws StatusError. */
export async function signInByPassword(username: string, password: string): Promise<Session> {
  return keyOf(await post('auth/password/login', { username, password }))
}

/** Checks an access key. @throws StatusError 401: the server does not know it. */
export async function signInByKey(key: string): Promise<Session> {
  await post('auth/token', { key })
  return { token: key, isLogin: false }
}

/**
 * Redirects the browser to a provider. It returns with a code that only this tab can exchange for a key, since the
 * verifier never leaves it. Source: RFC 7636.
 */
export async function leaveForProvider(id: string, page: string): Promise<void> {
  const verifier = randomText()
  const state = randomText()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  sessionStorage.setItem(pendingKey, JSON.stringify({ verifier, state, page }))
  const query = new URLSearchParams({ console: base64url(new Uint8Array(digest)), state })
  window.location.assign(`${serverBase()}auth/${encodeURIComponent(id)}/login?${query.toString()}`)
}

/**
 * Finishes a login at a provider, if the browser has returned from one; removes the code from the address at once.
 * @throws StatusError; Error for a return that this tab did not start.
 */
export async function returnFromProvider(): Promise<Session | undefined> {
  const { searchParams } = new URL(window.location.href)
  const code = searchParams.get('code')
  if (code === null) return undefined
  const pending = JSON.parse(sessionStorage.getItem(pendingKey) ?? '{}') as Partial<
    Record<'verifier' | 'state' | 'page', string>
  >
  sessionStorage.removeItem(pendingKey)
  window.history.replaceState(null, '', `${window.location.pathname}${pending.page ?? '#/'}`)
  if (pending.verifier === undefined || pending.state !== searchParams.get('state'))
    throw new Error('This sign-in was started in another tab or browser. Please start again.')
  return keyOf(await post('auth/code/token', { code, code_verifier: pending.verifier }))
}

/** Deletes the key of a session that a login created; the session ends even if this fails. */
export async function signOut({ token, isLogin }: Session): Promise<void> {
  if (!isLogin) return
  await fetch(`${serverBase()}auth/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    credentials: 'same-origin',
  }).catch(() => undefined)
}

async function get(path: string, more: Record<string, string> = {}): Promise<unknown> {
  const headers = { accept: 'application/json', ...more }
  const response = await fetch(serverBase() + path, { headers, credentials: 'same-origin' })
  if (!response.ok) throw await StatusError.of(response)
  return response.json()
}

/** Settings for the appearance, readable by everyone. @param token of a user, who sees more. */
export function uiSettings(token?: string): Promise<unknown> {
  return get('auth/ui-settings', token === undefined ? {} : { authorization: `Bearer ${token}` })
}

async function post(path: string, body: Record<string, string>): Promise<unknown> {
  const response = await fetch(serverBase() + path, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'same-origin',
  })
  if (!response.ok) throw await StatusError.of(response)
  return response.json()
}

function keyOf(answer: unknown): Session {
  const { accessKey } = answer as { accessKey?: unknown }
  if (typeof accessKey !== 'string') throw new Error('The server returned no access key.')
  return { token: accessKey, isLogin: true }
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

function base64url(bytes: Uint8Array): string {
  const plain = btoa(String.fromCharCode(...bytes))
  return plain.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
