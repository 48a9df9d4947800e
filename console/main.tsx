import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyBrand, type Brand } from './api/brand.ts'
import { SessionKeeper } from './api/session.ts'
import { loginMethods, returnFromProvider, uiSettings } from './api/signIn.ts'
import { errorText } from './parts/notes.tsx'
import { App } from './shell/App.tsx'
import { applyTheme } from './shell/theme.ts'

/** Finishes what a page load may continue (a login, the session of another tab), then draws. */
async function begin(): Promise<void> {
  applyTheme()
  const keeper = new SessionKeeper()
  let problem = ''
  const arriving = returnFromProvider().catch((error: unknown) => {
    problem = errorText(error)
    return undefined
  })
  const methods = askedEarly(keeper)
  // Without the settings for the look the console has its own.
  const looking = uiSettings().catch(() => ({}))
  const [arrived, look] = await Promise.all([arriving, looking, keeper.adopt()])
  if (arrived !== undefined) keeper.begin(arrived)
  else if (problem !== '') keeper.end(problem)
  // Sound: the server sends only fields that it has checked.
  const brand = look as Brand
  applyBrand(brand)
  const place = document.getElementById('console')
  if (place === null) throw new Error('the page has no place for the console')
  createRoot(place).render(
    <StrictMode>
      <App keeper={keeper} brand={brand} methods={methods} />
    </StrictMode>,
  )
}

/** Login methods, requested at once if they will be needed, so that the page does not wait for two responses in turn. */
function askedEarly(keeper: SessionKeeper): () => ReturnType<typeof loginMethods> {
  let early = keeper.current === undefined ? loginMethods() : undefined
  // An error is shown by the page that waits for it.
  early?.catch(() => undefined)
  return () => {
    const first = early
    early = undefined
    return first ?? loginMethods()
  }
}

void begin()
