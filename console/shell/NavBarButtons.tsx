import type { NavBarButton } from '../api/brand.ts'
import { uiSettings } from '../api/signIn.ts'
import { Icon } from '../parts/Icon.tsx'
import { useLoaded } from '../parts/loading.ts'
import { useConsole } from './console.ts'
import { isSafeLink } from './LegalText.tsx'

let read: { token: string; buttons: Promise<readonly NavBarButton[]> } | undefined

/** Buttons in the configuration, loaded once per session. */
function buttonsFor(token: string): Promise<readonly NavBarButton[]> {
  if (read?.token !== token) read = { token, buttons: readButtons(token) }
  return read.buttons
}

async function readButtons(token: string): Promise<readonly NavBarButton[]> {
  // Sound: the server sends only validated fields.
  const { navBarButtons = [] } = (await uiSettings(token)) as { navBarButtons?: NavBarButton[] }
  return navBarButtons.filter(({ link }) => isSafeLink(link))
}

/** Links that the configuration adds to this place of the menu. They open a tab without access to this one. */
export function NavBarButtons({ position }: Pick<NavBarButton, 'position'>) {
  const { session } = useConsole()
  const loaded = useLoaded(() => buttonsFor(session.token), [session.token])
  const buttons =
    loaded.state === 'ready' ? loaded.value.filter((button) => button.position === position) : []
  if (buttons.length === 0) return null
  return (
    <ul>
      {buttons.map(({ text, link, icon }) => (
        <li key={`${text} ${link}`}>
          <a href={link} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
            {icon === undefined ? <Icon name="out" /> : <img className="icon" src={icon} alt="" />}
            {text}
          </a>
        </li>
      ))}
    </ul>
  )
}
