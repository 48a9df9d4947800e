import type { Row } from '../watch/shapes.ts'

/** Parsed text of a table's search box. */
export interface Filter {
  /** Lower-case words, all of which a row must contain. */
  words: readonly string[]
  labelSelector: string
  fieldSelector: string
}

/**
 * Parses a search: `app=web` and `tier in (a,b)` select by label, `field:status.phase=Running` by field; anything else
 * is a word.
 */
export function parseFilter(text: string): Filter {
  const labels: string[] = []
  const fields: string[] = []
  const rest = text.replace(/(\S+)\s+(in|notin)\s+\(([^()]*)\)/g, (whole: string) => {
    labels.push(whole)
    return ' '
  })
  const words = rest.split(/\s+/).filter((part) => {
    if (part.startsWith('field:')) {
      if (/^field:[^=!]+(!=|==?)/.test(part)) fields.push(part.slice('field:'.length))
      return false
    }
    if (!/^[\w./-]+(!=|==?)[\w.-]*$/.test(part)) return part !== ''
    labels.push(part)
    return false
  })
  return {
    words: words.map((word) => word.toLowerCase()),
    labelSelector: labels.join(','),
    fieldSelector: fields.join(','),
  }
}

/** Query of the list and watch for a filter: the server applies selectors, the browser words. */
export function filterQuery({ labelSelector, fieldSelector }: Filter): Record<string, string> {
  return {
    ...(labelSelector === '' ? {} : { labelSelector }),
    ...(fieldSelector === '' ? {} : { fieldSelector }),
  }
}

const texts = new WeakMap<Row, string>()

/** Text of a row in which words are searched. */
function textOf(row: Row): string {
  const known = texts.get(row)
  if (known !== undefined) return known
  const { name, namespace = '', labels = {} } = row.object.metadata
  const all = [name, namespace, ...row.cells.map(String), ...Object.entries(labels).flat()]
  const text = all.join(' ').toLowerCase()
  texts.set(row, text)
  return text
}

export function matches(row: Row, words: readonly string[]): boolean {
  return words.every((word) => textOf(row).includes(word))
}

/** Labels of rows as completions of the last word, the most frequent first. */
export function labelCompletions(rows: Iterable<Row>, text: string): string[] {
  const last = /\S*$/.exec(text)?.[0] ?? ''
  const counts = new Map<string, number>()
  for (const { object } of rows)
    for (const [key, value] of Object.entries(object.metadata.labels ?? {})) {
      const label = `${key}=${value}`
      if (label.includes(last)) counts.set(label, (counts.get(label) ?? 0) + 1)
    }
  return [...counts]
    .sort(([a, x], [b, y]) => y - x || a.localeCompare(b))
    .slice(0, 8)
    .map(([label]) => text.slice(0, text.length - last.length) + label)
}
