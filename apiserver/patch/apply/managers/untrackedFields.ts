import { difference, fieldSetOf, type FieldSet } from '../fields/fieldSet.ts'

const metadata = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
]

const untracked = fieldSetOf(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...metadata.map((name) => ['f:metadata', `f:${name}`]),
)

const below = untracked['f:metadata'] ?? {}

/** Reports whether a nested field is never owned; both arguments are path elements. */
export function isUntracked(parent: string, element: string): boolean {
  return parent === 'f:metadata' && Object.hasOwn(below, element)
}

/**
 * `set` without untracked fields, which the server maintains.
 * Source: apimachinery, managedfields, "stripMeta"; reference 3.11.
 */
export function withoutUntracked(set: FieldSet): FieldSet {
  return difference(set, untracked)
}
