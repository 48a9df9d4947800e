import type { Column } from '../registry/resource.ts'

/** Column with the string or number at a dotted path; empty if absent. */
export function textColumn(name: string, path: string, description: string): Column {
  return { name, type: 'string', description, cell: (object) => textAt(object, path) }
}

function textAt(object: unknown, path: string): string {
  const value = valueAt(object, path)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Value at a dotted path; undefined: absent. */
export function valueAt(object: unknown, path: string): unknown {
  let value = object
  for (const name of path.split('.')) {
    // Indexing any other value ends the loop below.
    value =
      typeof value === 'object' && value !== null
        ? (value as Record<string, unknown>)[name]
        : undefined
  }
  return value
}

/**
 * Addresses of load balancers, or host names where there is no address, in order and without
 * duplicates.
 */
export function balancerAddresses(object: unknown): string[] {
  // Guaranteed by the schemas of kinds with balancers.
  const ingress = (valueAt(object, 'status.loadBalancer.ingress') ?? []) as Balancer[]
  const texts = ingress.map(({ ip = '', hostname = '' }) => (ip === '' ? hostname : ip))
  return [...new Set(texts.filter((text) => text !== ''))].sort()
}

interface Balancer {
  ip?: string
  hostname?: string
}

/** The class of a volume or a claim; a legacy annotation takes precedence. */
export const storageClassColumn = (description: string): Column =>
  cellColumn('StorageClass', description, (object) => {
    const { annotations = {} } = object.metadata
    const old = annotations['volume.beta.kubernetes.io/storage-class']
    return old ?? textAt(object, 'spec.storageClassName')
  })

/** Column of strings computed from the object. */
export function cellColumn(name: string, description: string, cell: Column['cell']): Column {
  return { name, type: 'string', description, cell }
}

/** Column of integers at a dotted path; 0 if absent. */
export function countColumn(name: string, path: string, description: string): Column {
  return { name, type: 'integer', description, cell: (object) => Number(textAt(object, path)) }
}

/** Column that shows `true` if the flag at a dotted path is set, and nothing otherwise. */
export function flagColumn(name: string, path: string, description: string): Column {
  return cellColumn(name, description, (object) => (valueAt(object, path) === true ? 'true' : ''))
}

/**
 * Column declared as a string in the table's header, as the real server declares some numeric
 * columns.
 */
export function asText(column: Column): Column {
  return { ...column, type: 'string' }
}

/** Column shown only with `-o wide`. */
export function wide(column: Column): Column {
  return { ...column, priority: 1 }
}

/** Number of items in the list at a dotted path. */
export function listLength(object: unknown, path: string): number {
  const value = valueAt(object, path)
  return Array.isArray(value) ? value.length : 0
}
