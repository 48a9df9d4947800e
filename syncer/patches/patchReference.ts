import { isObject } from '../../apiserver/meta/json/isObject.ts'
import type { ReferenceRule } from '../config/patchRule.ts'
import { matchPath, type PathMatch } from '../paths/matchPath.ts'
import { parsePath } from '../paths/parsePath.ts'
import type { ObjectName } from '../names/naming.ts'
import type { ObjectReference, References } from './references.ts'

export interface ReferencePlace {
  direction: 'toHost' | 'toVirtual'
  references: References
  /** The default namespace of names, on the value's side. */
  namespace: string
  /** The namespace of the virtual object. */
  virtualNamespace: string
}

/**
 * Translates the name, and the namespace if present, in a value. A value without a name is unchanged. Source: platform
 * facts 6.6.
 */
export async function patchReference(
  value: unknown,
  rule: ReferenceRule,
  place: ReferencePlace,
): Promise<unknown> {
  const isText = typeof value === 'string'
  const copy = isText ? value : structuredClone(value)
  const found = locate(copy, rule)
  if (found === undefined) return value
  const reference = { ...found.reference, namespace: found.reference.namespace ?? place.namespace }
  const renamed = await rename(reference, place)
  if (renamed === undefined) return value
  if (found.name === undefined) return renamed.name
  put(found.name, renamed.name)
  if (found.namespace !== undefined) put(found.namespace, renamed.namespace)
  return copy
}

function rename(
  reference: ObjectReference,
  { direction, references, virtualNamespace }: ReferencePlace,
): Promise<ObjectName | undefined> {
  return direction === 'toHost'
    ? references.toHost(reference)
    : references.toVirtual(reference, virtualNamespace)
}

interface Located {
  reference: Omit<ObjectReference, 'namespace'> & { namespace: string | undefined }
  /** Undefined: the value itself is the name. */
  name: PathMatch | undefined
  namespace: PathMatch | undefined
}

function locate(value: unknown, rule: ReferenceRule): Located | undefined {
  if (typeof value === 'string') {
    // A string has no members, so paths find nothing and constants apply.
    if (value === '') return undefined
    const { apiVersion, kind } = rule
    const reference = { apiVersion, kind, name: value, namespace: undefined }
    return { reference, name: undefined, namespace: undefined }
  }
  const name = textAt(value, rule.namePath)
  if (name === undefined) return undefined
  const namespace = textAt(value, rule.namespacePath)
  return {
    reference: {
      apiVersion: textAt(value, rule.apiVersionPath)?.text ?? rule.apiVersion,
      kind: textAt(value, rule.kindPath)?.text ?? rule.kind,
      name: name.text,
      namespace: namespace?.text,
    },
    name: name.match,
    namespace: namespace?.match,
  }
}

function textAt(
  value: unknown,
  path: string | undefined,
): { text: string; match: PathMatch } | undefined {
  if (path === undefined || !isObject(value)) return undefined
  const [match] = matchPath(value, parsePath(path))
  return match !== undefined && typeof match.value === 'string' && match.value !== ''
    ? { text: match.value, match }
    : undefined
}

function put({ parent, key }: PathMatch, text: string): void {
  if (Array.isArray(parent)) parent[Number(key)] = text
  else parent[key] = text
}
