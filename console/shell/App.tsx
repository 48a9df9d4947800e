import { useSyncExternalStore } from 'react'
import type { Brand } from '../api/brand.ts'
import type { LoginMethods } from '../api/signIn.ts'
import type { SessionKeeper } from '../api/session.ts'
import { Toasts } from '../parts/toasts.tsx'
import { parseRoute, useHash } from './route.ts'
import { SignIn } from './SignIn.tsx'
import { Workspace } from './Workspace.tsx'

interface AppProps {
  keeper: SessionKeeper
  brand: Brand
  /** Loads the login methods of the server. */
  methods: () => Promise<LoginMethods>
}

/** The whole console: the sign-in page, or the pages of the signed-in user. */
export function App({ keeper, brand, methods }: AppProps) {
  const session = useSyncExternalStore(
    (listener) => keeper.subscribe(listener),
    () => keeper.current,
  )
  const { plane } = parseRoute(useHash())
  if (session === undefined) return <SignIn {...{ keeper, brand, methods }} />
  return (
    <Toasts>
      <Workspace
        key={`${session.token} ${plane}`}
        keeper={keeper}
        session={session}
        brand={brand}
        plane={plane}
      />
    </Toasts>
  )
}
