import { difference, fieldSetOf, type FieldSet } from './fieldSet.ts'

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

/** `set` without what nobody owns, because the server keeps it.
 *  Source: apimachinery, managedfields, "stripMeta"; reference 3.11. */
export function withoutUntracked(set: FieldSet): FieldSet {
  return difference(set, untracked)
}
