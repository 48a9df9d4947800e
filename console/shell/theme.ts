export type Theme = 'system' | 'light' | 'dark'

const storageKey = 'console-theme'
const themes: readonly Theme[] = ['system', 'light', 'dark']

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(storageKey)
  return themes.find((theme) => theme === stored) ?? 'system'
}

/** Applies a theme and remembers it; without a theme, applies the remembered one. */
export function applyTheme(theme?: Theme): void {
  if (theme !== undefined) localStorage.setItem(storageKey, theme)
  const { dataset } = document.documentElement
  const chosen = theme ?? chosenTheme()
  if (chosen === 'system') delete dataset['theme']
  else dataset['theme'] = chosen
}

export function nextTheme(): Theme {
  return themes[(themes.indexOf(chosenTheme()) + 1) % themes.length] ?? 'system'
}
