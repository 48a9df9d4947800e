/** Credential of a signed-in user. */
export interface Session {
  /** Access key, a secret. */
  token: string
  /** True if a login created the key, so that signing out deletes it. */
  isLogin: boolean
}

type Message = { type: 'ask' } | { type: 'have'; session: Session } | { type: 'out' }

const storageKey = 'console-session'
/** Time to wait for another tab with a session. */
const askMs = 150

/**
 * Session of this tab. The key is kept in session storage, which ends with the tab, and never in a cookie, so that no
 * other site can use it. A new tab asks open tabs of the same origin for it; signing out ends the session in all of
 * them.
 */
export class SessionKeeper {
  readonly #channel = new BroadcastChannel('platform-console')
  readonly #listeners = new Set<() => void>()
  #session: Session | undefined
  #notice = ''

  constructor() {
    this.#session = stored()
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Message>) =>
      this.#heard(data),
    )
  }

  get current(): Session | undefined {
    return this.#session
  }

  /** Reason why the last session ended; empty: the user ended it, or there was none. */
  get notice(): string {
    return this.#notice
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Adopts the session of another tab, if there is one. */
  async adopt(): Promise<void> {
    if (this.#session !== undefined) return
    this.#say({ type: 'ask' })
    await new Promise((resolve) => setTimeout(resolve, askMs))
  }

  begin(session: Session): void {
    this.#notice = ''
    this.#set(session)
  }

  /** Ends the session in every tab. @param notice shown on the sign-in page. */
  end(notice = ''): void {
    this.#notice = notice
    this.#set(undefined)
    this.#say({ type: 'out' })
  }

  #heard(message: Message): void {
    if (message.type === 'ask' && this.#session !== undefined)
      this.#say({ type: 'have', session: this.#session })
    if (message.type === 'have' && this.#session === undefined) this.begin(message.session)
    if (message.type === 'out') this.#set(undefined)
  }

  #say(message: Message): void {
    this.#channel.postMessage(message)
  }

  #set(session: Session | undefined): void {
    this.#session = session
    if (session === undefined) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, JSON.stringify(session))
    for (const listener of this.#listeners) listener()
  }
}

function stored(): Session | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    const isSession =
      typeof value === 'object' &&
      value !== null &&
      'token' in value &&
      typeof value.token === 'string' &&
      'isLogin' in value
    return isSession ? { token: value.token as string, isLogin: value.isLogin === true } : undefined
  } catch {
    return undefined
  }
}
