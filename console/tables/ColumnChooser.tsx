import { Menu, MenuButton, MenuItemCheckbox, MenuProvider } from '@ariakit/react'
import { useMemo, useState } from 'react'
import { kindId, type Kind } from '../api/kinds.ts'
import { Icon } from '../parts/Icon.tsx'
import type { ShownColumn } from './columns.ts'

export interface ColumnChoice {
  shown: readonly ShownColumn[]
  choose: (names: readonly string[]) => void
}

/**
 * Columns that the user chose for a kind, remembered in the browser; by default the columns that
 * the server shows without `wide`.
 */
export function useColumnChoice(kind: Kind, all: readonly ShownColumn[]): ColumnChoice {
  const storageKey = `console-columns ${kindId(kind)}`
  const [names, setNames] = useState(() => namesIn(localStorage.getItem(storageKey)))
  const shown = useMemo(
    () =>
      all.filter(({ name, isName, isExtra }) =>
        names === undefined ? !isExtra : isName || names.includes(name),
      ),
    [all, names],
  )
  const choose = (chosen: readonly string[]) => {
    localStorage.setItem(storageKey, JSON.stringify(chosen))
    setNames(chosen)
  }
  return { shown, choose }
}

function namesIn(text: string | null): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined
  } catch {
    return undefined
  }
}

interface ChooserProps extends ColumnChoice {
  all: readonly ShownColumn[]
}

/** Button with a list of the columns of a table. The name column cannot be hidden. */
export function ColumnChooser({ all, shown, choose }: ChooserProps) {
  const values = { columns: shown.map(({ name }) => name) }
  if (all.length < 2) return null
  return (
    <MenuProvider
      values={values}
      setValues={({ columns }) => choose(Array.isArray(columns) ? columns.map(String) : [])}
    >
      <MenuButton className="button">
        Columns <Icon name="down" />
      </MenuButton>
      <Menu className="menu" gutter={4} fixed unmountOnHide>
        {all.map(({ name, isName, description }) => (
          <MenuItemCheckbox
            key={name}
            name="columns"
            value={name}
            disabled={isName}
            className="menu-item"
            title={description}
          >
            <span className="check">
              {shown.some((column) => column.name === name) ? <Icon name="good" /> : null}
            </span>
            {name}
          </MenuItemCheckbox>
        ))}
      </Menu>
    </MenuProvider>
  )
}
