import { useEffect, useRef, useState } from 'react'
import { signOut } from '../api/signIn.ts'
import { Icon } from '../parts/Icon.tsx'
import { Menu } from '../parts/Menu.tsx'
import { useConsole } from './console.ts'
import { Help } from './Help.tsx'
import { useKeys } from './keys.ts'
import { NamespacePicker } from './NamespacePicker.tsx'
import { Palette } from './Palette.tsx'
import { Pages } from './Pages.tsx'
import { goTo, href, useHash } from './route.ts'
import { Sidebar } from './Sidebar.tsx'
import { applyTheme, chosenTheme, nextTheme } from './theme.ts'

/** Layout of bar, menu and page. */
export function Frame() {
  const hash = useHash()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [over, setOver] = useState<'palette' | 'help'>()
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    setMenuOpen(false)
    page.current?.scrollTo(0, 0)
  }, [hash.split('?')[0]])
  useKeys({
    ':': () => setOver('palette'),
    'mod+k': () => setOver('palette'),
    '?': () => setOver('help'),
    'g h': () => goTo(href([])),
    'g p': () => goTo(href(['projects'])),
    'g k': () => goTo(href(['keys'])),
  })
  return (
    <div className="shell">
      <button type="button" className="button skip" onClick={() => page.current?.focus()}>
        Skip to the page
      </button>
      <header className="topbar">
        <TopBar
          isMenuOpen={isMenuOpen}
          onMenu={() => setMenuOpen(!isMenuOpen)}
          onSeek={() => setOver('palette')}
          onHelp={() => setOver('help')}
        />
      </header>
      <Sidebar isOpen={isMenuOpen} />
      <div className="page" ref={page} tabIndex={-1}>
        <Pages />
      </div>
      {over === 'palette' ? <Palette onClose={() => setOver(undefined)} /> : null}
      {over === 'help' ? <Help onClose={() => setOver(undefined)} /> : null}
    </div>
  )
}

interface TopBarProps {
  isMenuOpen: boolean
  onMenu: () => void
  onSeek: () => void
  onHelp: () => void
}

function TopBar({ isMenuOpen, onMenu, onSeek, onHelp }: TopBarProps) {
  const { brand } = useConsole()
  const logo = brand.smallLogoURL ?? brand.logoURL
  return (
    <>
      <button
        type="button"
        className="button quiet square menu-button"
        aria-label="Menu"
        aria-expanded={isMenuOpen}
        onClick={onMenu}
      >
        <Icon name="menu" />
      </button>
      <a className="brand" href={href([], {}, '')} aria-label="Console, overview">
        <img src={logo ?? 'icon.svg'} alt="" width={logo === undefined ? 24 : undefined} />
        {logo === undefined ? <span>Console</span> : null}
      </a>
      <div className="grow">
        <button type="button" className="seek" onClick={onSeek}>
          <Icon name="search" />
          <span>Go to a page, kind or object</span>
          <kbd className="wide-only">{modifier}K</kbd>
        </button>
      </div>
      <NamespacePicker />
      <UserMenu onHelp={onHelp} />
    </>
  )
}

const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl '

const themeTexts = { system: 'as the system', light: 'light', dark: 'dark' } as const

function UserMenu({ onHelp }: { onHelp: () => void }) {
  const { me, keeper, session } = useConsole()
  const [theme, setTheme] = useState(chosenTheme)
  const changeTheme = () => {
    const next = nextTheme()
    applyTheme(next)
    setTheme(next)
  }
  const leave = () => void signOut(session).then(() => keeper.end())
  return (
    <Menu
      label={`Account of ${me.displayName}`}
      className="button quiet"
      entries={[
        { text: `Theme: ${themeTexts[theme]}`, icon: 'theme', onChoose: changeTheme },
        { text: 'Keyboard shortcuts', icon: 'info', onChoose: onHelp },
        { text: 'Sign out', icon: 'lock', onChoose: leave },
      ]}
    >
      <Icon name="people" /> <span className="wide-only">{me.displayName}</span>
    </Menu>
  )
}
