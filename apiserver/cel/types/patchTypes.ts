import { dyn, namedObject, typeNamed, type CelType } from './types.ts'

/** Further types and functions of the expressions of mutations. */
export interface PatchTypes {
  /** The type of this name; undefined: there is none. */
  typeOf(name: string): CelType | undefined
  /** Reports whether a function exists only for them. */
  isFunction(name: string): boolean
}

/** Name of the function that escapes a key for a JSON pointer. */
export const escapeKeyName = 'jsonpatch.escapeKey'

/** Name of the type of the steps of a JSON patch. */
const jsonPatchName = 'JSONPatch'

/** The changed object is `Object`; a struct at a path of it is `Object` and the path: `Object.spec.template`. */
function isObjectTypeName(name: string): boolean {
  return name === 'Object' || name.startsWith('Object.')
}

const text = typeNamed('string')

const jsonPatch = namedObject(jsonPatchName, (field) => {
  if (field === 'value') return dyn
  return ['op', 'path', 'from'].includes(field) ? text : undefined
})

/** Source: Kubernetes documentation, "Mutating Admission Policy", "Patch types". */
export const patchTypes: PatchTypes = {
  typeOf: (name) => {
    if (name === jsonPatchName) return jsonPatch
    // Without a schema any field is accepted; the merge reports unknown ones.
    return isObjectTypeName(name) ? namedObject(name, () => dyn) : undefined
  },
  isFunction: (name) => name === escapeKeyName,
}

/** Expressions of rules and validations have none of these. */
export const noPatchTypes: PatchTypes = {
  typeOf: () => undefined,
  isFunction: () => false,
}
