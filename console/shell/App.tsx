import { useSyncExternalStore } from 'react'
import type { Brand } from '../api/brand.ts'
import type { SessionKeeper } from '../api/session.ts'
import { Toasts } from '../parts/toasts.tsx'
import { parseRoute, useHash } from './route.ts'
import { SignIn } from './SignIn.tsx'
import { Workspace } from './Workspace.tsx'

/** The whole console: the sign-in page, or the pages of the signed-in user. */
export function App({ keeper, brand }: { keeper: SessionKeeper; brand: Brand }) {
  const session = useSyncExternalStore(
    (listener) => keeper.subscribe(listener),
    () => keeper.current,
  )
  const { plane } = parseRoute(useHash())
  if (session === undefined) return <SignIn keeper={keeper} brand={brand} />
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
