import { useEffect, useState } from 'react'
import type { Brand } from '../api/brand.ts'
import type { SessionKeeper } from '../api/session.ts'
import {
  leaveForProvider,
  signInByKey,
  signInByPassword,
  type LoginMethods,
} from '../api/signIn.ts'
import type { Session } from '../api/session.ts'
import { useLoaded } from '../parts/loading.ts'
import { Note, Skeleton, errorText } from '../parts/notes.tsx'
import { LegalText } from './LegalText.tsx'

interface SignInProps {
  keeper: SessionKeeper
  brand: Brand
  methods: () => Promise<LoginMethods>
}

/** Sign-in page with every login method of the server. */
export function SignIn({ keeper, brand, methods: readMethods }: SignInProps) {
  const methods = useLoaded(readMethods, [])
  const [problem, setProblem] = useState(keeper.notice)
  useEffect(() => {
    document.title = 'Sign in – Console'
  }, [])
  const attempt = (work: Promise<Session>) =>
    work.then(
      (session) => keeper.begin(session),
      (error: unknown) => setProblem(errorText(error)),
    )
  return (
    <div className="signin">
      <main>
        {brand.logoURL === undefined ? null : (
          <img className="logo" src={brand.logoURL} alt="" referrerPolicy="no-referrer" />
        )}
        <h1>Sign in</h1>
        {problem === '' ? null : (
          <Note tone="bad" isAlert>
            {problem}
          </Note>
        )}
        {methods.state === 'loading' ? <Skeleton lines={4} /> : null}
        {methods.state === 'ready' ? <Methods methods={methods.value} attempt={attempt} /> : null}
        {methods.state === 'failed' ? (
          <>
            <Note tone="warn">The login methods cannot be read: {errorText(methods.error)}</Note>
            <KeyForm attempt={attempt} />
          </>
        ) : null}
        {brand.legalTemplate === undefined ? null : <LegalText html={brand.legalTemplate} />}
      </main>
    </div>
  )
}

type Attempt = (work: Promise<Session>) => Promise<void>

function Methods({ methods, attempt }: { methods: LoginMethods; attempt: Attempt }) {
  const [usesKey, setUsesKey] = useState(!methods.password)
  const { providers } = methods
  return (
    <>
      {usesKey ? <KeyForm attempt={attempt} /> : <PasswordForm attempt={attempt} />}
      {providers.length === 0 ? null : <div className="or">or</div>}
      {providers.map(({ id, displayName }) => (
        <button
          key={id}
          type="button"
          className="button wide"
          onClick={() => void leaveForProvider(id, window.location.hash)}
        >
          Continue with {displayName}
        </button>
      ))}
      {methods.password ? (
        <button type="button" className="button quiet wide" onClick={() => setUsesKey(!usesKey)}>
          {usesKey ? 'Use a password' : 'Use an access key'}
        </button>
      ) : null}
    </>
  )
}

function PasswordForm({ attempt }: { attempt: Attempt }) {
  const [isBusy, setBusy] = useState(false)
  const submit = (form: FormData) => {
    setBusy(true)
    const values = [form.get('username'), form.get('password')].map((value) =>
      typeof value === 'string' ? value : '',
    )
    void attempt(signInByPassword(values[0] ?? '', values[1] ?? '')).then(() => setBusy(false))
  }
  return (
    <form onSubmit={(event) => (event.preventDefault(), submit(new FormData(event.currentTarget)))}>
      <div className="field">
        <label htmlFor="username">User name or e-mail address</label>
        <input
          id="username"
          name="username"
          className="input"
          autoComplete="username"
          required
          autoFocus
        />
      </div>
      <div className="field">
        <label htmlFor="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          className="input"
          autoComplete="current-password"
          required
        />
      </div>
      <button className="button main wide" aria-disabled={isBusy}>
        {isBusy ? 'Signing in …' : 'Sign in'}
      </button>
    </form>
  )
}

function KeyForm({ attempt }: { attempt: Attempt }) {
  const submit = (form: FormData) => {
    const key = form.get('key')
    void attempt(signInByKey(typeof key === 'string' ? key.trim() : ''))
  }
  return (
    <form onSubmit={(event) => (event.preventDefault(), submit(new FormData(event.currentTarget)))}>
      <div className="field">
        <label htmlFor="key">Access key</label>
        <input
          id="key"
          name="key"
          type="password"
          className="input mono"
          autoComplete="off"
          spellCheck={false}
          required
          autoFocus
        />
        <p className="hint">
          The token of your kubeconfig, or a key that you made here. It stays in this browser tab.
        </p>
      </div>
      <button className="button main wide">Sign in</button>
    </form>
  )
}
