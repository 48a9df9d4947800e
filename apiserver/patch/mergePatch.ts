import { goJsonType } from '../meta/json/goJsonType.ts'
import { isObject } from '../meta/json/isObject.ts'
import { ownMember, setMember } from '../meta/json/plainMembers.ts'
import { badRequest } from '../meta/statusErrors.ts'

/**
 * `target` with a merge patch applied: members of the patch replace those of the target, objects are merged, null
 * removes, and lists are replaced. Neither argument is changed; the result may share parts with both, so it must not be
 * modified in place.
 * @throws StatusError 400 if the patch is not an object. Source: RFC 7386; reference 3.9.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (patch === null) throw badRequest('Invalid JSON Patch')
  if (!isObject(patch)) throw badRequest(`error decoding patch: ${noMapText(patch)}`)
  return merge(target, patch)
}

/** The Go decoder's message about a patch that is not an object. */
export function noMapText(patch: unknown): string {
  return `json: cannot unmarshal ${goJsonType(patch)} into Go value of type map[string]interface {}`
}

/**
 * Merges a patch by RFC 7386, section 2. Added values lose their nulls, even in lists.
 * Source: seen on kube-apiserver 1.37.2.
 */
function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(target)) return withoutNulls(patch)
  if (!isObject(patch)) return patch
  const merged = { ...target }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(merged, key)
    else setMember(merged, key, merge(ownMember(merged, key), value))
  }
  return merged
}

/** Value without nulls, except items of lists. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const kept: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value))
    if (member !== null) setMember(kept, key, withoutNulls(member))
  return kept
}
