import { useSyncExternalStore } from 'react'

const storageKey = 'console-favourites'
const changed = 'console-favourites-changed'

function stored(): string {
  return localStorage.getItem(storageKey) ?? '[]'
}

/** Identifiers of the user's favourite kinds. */
export function useFavourites(): ReadonlySet<string> {
  const text = useSyncExternalStore((listener) => {
    window.addEventListener(changed, listener)
    return () => window.removeEventListener(changed, listener)
  }, stored)
  return idsIn(text)
}

export function toggleFavourite(id: string): void {
  const ids = new Set(idsIn(stored()))
  if (!ids.delete(id)) ids.add(id)
  localStorage.setItem(storageKey, JSON.stringify([...ids]))
  window.dispatchEvent(new Event(changed))
}

function idsIn(text: string): ReadonlySet<string> {
  try {
    const value: unknown = JSON.parse(text)
    return new Set(Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [])
  } catch {
    return new Set()
  }
}
