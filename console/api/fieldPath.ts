/** Steps to a value: keys of objects, and list positions as digits. */
export type FieldPath = readonly string[]

/**
 * Parses a field of a Status cause, such as `spec.ports[0].name`, `data[a.b]` or
 * `.spec.hosts["x"]`; brackets hold a literal key. A selector of a list item by its keys
 * (`ports[port=80,protocol="TCP"]`) is one step.
 */
export function parseFieldPath(field: string): string[] {
  return [...field.matchAll(/\[((?:"(?:[^"\\]|\\.)*"|[^\]])*)\]|[^.[\]]+/g)].map(
    ([whole, inside]) => (inside === undefined ? whole : unquoted(inside)),
  )
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, '$1')
}

/** Position of the item that a step such as `port=80,protocol="TCP"` selects; -1: not a selector, or no such item. */
export function selectedItem(items: readonly unknown[], step: string): number {
  const pairs = [...step.matchAll(/([\w-]+)=("(?:[^"\\]|\\.)*"|[^,]+)/g)]
  if (pairs.length === 0) return -1
  return items.findIndex((item) =>
    pairs.every(([, key = '', value = '']) => {
      if (typeof item !== 'object' || item === null) return false
      return String((item as Record<string, unknown>)[key]) === unquoted(value)
    }),
  )
}

export function isBelow(path: FieldPath, parent: FieldPath): boolean {
  return parent.every((step, at) => path[at] === step)
}
