import type { Column } from '../registry/resource.ts'

/** A column that shows the text or number at a path of dots; nothing where there is none. */
export function textColumn(name: string, path: string, description: string): Column {
  return { name, type: 'string', description, cell: (object) => textAt(object, path) }
}

function textAt(object: unknown, path: string): string {
  let value = object
  for (const name of path.split('.')) {
    // Indexing anything but an object ends the walk below.
    value =
      typeof value === 'object' && value !== null
        ? (value as Record<string, unknown>)[name]
        : undefined
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
