import { Menu as Popup, MenuButton, MenuItem, MenuProvider } from '@ariakit/react'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

export interface MenuEntry {
  text: string
  icon?: IconName
  isDanger?: boolean
  onChoose: () => void
}

interface MenuProps {
  /** Content of the button. */
  children: ReactNode
  label: string
  entries: readonly MenuEntry[]
  className?: string
}

/** Button with a list of actions. */
export function Menu({ children, label, entries, className = 'button' }: MenuProps) {
  return (
    <MenuProvider>
      <MenuButton className={className} aria-label={label}>
        {children}
      </MenuButton>
      <Popup className="menu" gutter={4} fixed unmountOnHide>
        {entries.map(({ text, icon, isDanger = false, onChoose }) => (
          <MenuItem
            key={text}
            className={isDanger ? 'menu-item danger' : 'menu-item'}
            onClick={onChoose}
          >
            {icon === undefined ? null : <Icon name={icon} />}
            {text}
          </MenuItem>
        ))}
      </Popup>
    </MenuProvider>
  )
}
