import { useEffect, useRef } from 'react'

type Actions = Readonly<Record<string, (event: KeyboardEvent) => void>>

/** Maximum delay of the second key of a sequence such as `g h`. */
const sequenceMs = 800

/**
 * Keyboard shortcuts of the page: single keys, sequences with a space, and `mod+…` for Control or Command. Keys typed
 * into a field or while a dialog is open are not shortcuts, except with `mod`.
 */
export function useKeys(actions: Actions): void {
  const current = useRef(actions)
  current.current = actions
  useEffect(() => {
    let before = { key: '', at: 0 }
    const pressed = (event: KeyboardEvent) => {
      const name = nameOf(event)
      if (name === undefined || (isBusy(event.target) && !name.startsWith('mod+'))) return
      const isNext = performance.now() - before.at < sequenceMs
      const sequence = isNext ? `${before.key} ${name}` : name
      before = { key: name, at: performance.now() }
      const action = current.current[sequence] ?? current.current[name]
      if (action === undefined) return
      event.preventDefault()
      action(event)
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
}

function nameOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | undefined {
  if (altKey || ['Shift', 'Control', 'Meta'].includes(key)) return undefined
  return ctrlKey || metaKey ? `mod+${key.toLowerCase()}` : key
}

function isBusy(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const isField = target.matches('input:not([type=checkbox]), textarea, select, .editor')
  return (
    isField || target.isContentEditable || target.closest('[role=dialog], [role=menu]') !== null
  )
}
