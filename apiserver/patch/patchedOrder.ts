import { isObject } from '../meta/json/isObject.ts'
import { ownMember } from '../meta/json/plainMembers.ts'
import { sortedMembers, withSortedNames } from '../meta/json/sortedMembers.ts'

/**
 * Result of a merge patch with its members in the order of the library, which determines the error
 * that is found first. The members of every object that the patch reaches are sorted, and so are
 * the members of added values at every depth. Other objects keep their order. Source:
 * evanphx/json-patch, which decodes what it changes into Go maps.
 */
export function inMergeOrder(result: unknown, patch: unknown): unknown {
  if (patch === undefined) return result
  if (!isObject(patch) || !isObject(result)) return sortedMembers(result)
  return withSortedNames(result, (name) => inMergeOrder(result[name], ownMember(patch, name)))
}

/**
 * Result of a JSON patch with its members in the order of the library: the members of every object
 * on the way to a change are sorted.
 */
export function inOperationOrder(result: unknown, operations: unknown): unknown {
  const root: Branch = new Map()
  for (const pointer of Array.isArray(operations) ? operations.flatMap(pointersOf) : []) {
    let branch = root
    for (const token of pointer.split('/').slice(1)) {
      const next = branch.get(token) ?? new Map<string, Branch>()
      branch.set(token, next)
      branch = next
    }
  }
  return alongBranch(result, root)
}

/** Tokens of pointers as a tree. */
type Branch = Map<string, Branch>

function pointersOf(operation: unknown): string[] {
  if (!isObject(operation)) return []
  return [operation['path'], operation['from']].filter((pointer) => typeof pointer === 'string')
}

function alongBranch(value: unknown, branch: Branch | undefined): unknown {
  if (branch === undefined || branch.size === 0) return value
  if (Array.isArray(value)) {
    return value.map((item, at) => alongBranch(item, branch.get(String(at))))
  }
  if (!isObject(value)) return value
  return withSortedNames(value, (name) => alongBranch(value[name], branch.get(name)))
}
