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
  return `json: cannot unmarshal ${jsonType(patch)} into Go value of type map[string]interface {}`
}

/** RFC 7386, section 2. A patch of a missing object still loses its nulls. */
function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(merged, key)
    else setMember(merged, key, merge(ownMember(merged, key), value))
  }
  return merged
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
