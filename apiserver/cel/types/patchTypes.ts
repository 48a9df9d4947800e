import { dyn, namedObject, typeNamed, type CelType } from './types.ts'

/** Additional types and functions for expressions of mutations. */
export interface PatchTypes {
  /** Type by its name; undefined: unknown. */
  typeOf(name: string): CelType | undefined
  /** Reports whether a function exists only for mutations. */
  isFunction(name: string): boolean
}

/** Name of the function that escapes a key for a JSON pointer. */
export const escapeKeyName = 'jsonpatch.escapeKey'

/** Name of the type of the steps of a JSON patch. */
const jsonPatchName = 'JSONPatch'

/**
 * Reports whether a name is that of the changed object or of a struct in it: `Object` followed by a
 * path, such as `Object.spec.template`.
 */
function isObjectTypeName(name: string): boolean {
  return name === 'Object' || name.startsWith('Object.')
}

const text = typeNamed('string')

const jsonPatch = namedObject(jsonPatchName, (field) => {
  if (field === 'value') return dyn
  return ['op', 'path', 'from'].includes(field) ? text : undefined
})

/** Types of mutations. Source: Kubernetes documentation, "Mutating Admission Policy", "Patch types". */
export const patchTypes: PatchTypes = {
  typeOf: (name) => {
    if (name === jsonPatchName) return jsonPatch
    // Without a schema, any field is accepted; unknown fields are reported when the result is
    // merged.
    return isObjectTypeName(name) ? namedObject(name, () => dyn) : undefined
  },
  isFunction: (name) => name === escapeKeyName,
}

/** Patch types of rules and validations: none. */
export const noPatchTypes: PatchTypes = {
  typeOf: () => undefined,
  isFunction: () => false,
}
