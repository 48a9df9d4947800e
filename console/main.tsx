import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyBrand, type Brand } from './api/brand.ts'
import { SessionKeeper } from './api/session.ts'
import { loginMethods, returnFromProvider, uiSettings } from './api/signIn.ts'
import { errorText } from './parts/notes.tsx'
import { App } from './shell/App.tsx'
import { applyTheme } from './shell/theme.ts'

/** Finishes what a page load may continue (a login, the session of another tab), then renders. */
async function begin(): Promise<void> {
  applyTheme()
  const keeper = new SessionKeeper()
  let problem = ''
  const arriving = returnFromProvider().catch((error: unknown) => {
    problem = errorText(error)
    return undefined
  })
  const methods = askedEarly(keeper)
  // If the settings cannot be loaded, the console has its default appearance.
  const looking = uiSettings().catch(() => ({}))
  const [arrived, look] = await Promise.all([arriving, looking, keeper.adopt()])
  if (arrived !== undefined) keeper.begin(arrived)
  else if (problem !== '') keeper.end(problem)
  // Sound: the server sends only validated fields.
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

/**
 * Login methods, requested early if they will be needed, so that the page does not wait for two responses in sequence.
 */
function askedEarly(keeper: SessionKeeper): () => ReturnType<typeof loginMethods> {
  let early = keeper.current === undefined ? loginMethods() : undefined
  // The page that waits for the error shows it.
  early?.catch(() => undefined)
  return () => {
    const first = early
    early = undefined
    return first ?? loginMethods()
  }
}

void begin()
