import { Combobox, ComboboxItem, ComboboxPopover, ComboboxProvider } from '@ariakit/react'
import { useEffect, useRef, useState } from 'react'
import { useKeys } from '../shell/keys.ts'
import type { Row } from '../watch/shapes.ts'
import { labelCompletions } from './filters.ts'

/** Pause in typing after which selectors are sent to the server. */
const typingMs = 250

interface SearchProps {
  rows: ReadonlyMap<string, Row> | undefined
  value: string
  onChange: (text: string) => void
}

/** Search box for words and selectors, which completes labels found in the rows. */
export function Search({ rows, value, onChange }: SearchProps) {
  const [typed, setTyped] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => input.current?.focus() })
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onChange(typed), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  const completions = typed === '' ? [] : labelCompletions(rows?.values() ?? [], typed)
  return (
    <div className="search">
      <ComboboxProvider value={typed} setValue={setTyped}>
        <Combobox
          ref={input}
          className="input"
          aria-label="Search by words or selectors"
          placeholder="Search: words, app=web, field:status.phase=Running"
          autoSelect={false}
        />
        {completions.length === 0 ? null : (
          <ComboboxPopover className="menu suggestions" gutter={4} portal sameWidth unmountOnHide>
            {completions.map((text) => (
              <ComboboxItem key={text} value={text} className="menu-item mono" />
            ))}
          </ComboboxPopover>
        )}
      </ComboboxProvider>
    </div>
  )
}
