const reserved = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function'],
  ...['if', 'import', 'let', 'loop', 'package', 'namespace', 'return'],
  ...['var', 'void', 'while'],
])

/**
 * Names that select a field: the escaped name and, for reserved words that the syntax of a rule
 * allows, also the unescaped name. Source: Kubernetes documentation, "Validation rules",
 * "Escaping".
 */
export function selectors(name: string): string[] {
  return reserved.has(name) ? [`__${name}__`, name] : [escaped(name)]
}

function escaped(name: string): string {
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__')
}

const parts: Readonly<Record<string, string>> = {
  __underscores__: '__',
  __dot__: '.',
  __dash__: '-',
  __slash__: '/',
}

/** Field that a selector refers to. */
export function fieldOf(selector: string): string {
  const [, word = ''] = /^__(.+)__$/.exec(selector) ?? []
  if (reserved.has(word)) return word
  if (!selector.includes('__')) return selector
  return selector.replaceAll(/__(?:underscores|dot|dash|slash)__/g, (part) => parts[part] ?? part)
}
