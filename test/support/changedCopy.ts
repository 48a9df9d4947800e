/**
 * Copy of an object with another value at a path through objects and lists; undefined removes the
 * value.
 */
export function changedCopy(object: object, path: readonly string[], value: unknown): object {
  const result = structuredClone(object)
  // The path leads only through objects and lists.
  const holder = path.slice(0, -1).reduce((one, name) => Reflect.get(one, name) as object, result)
  const last = path.at(-1) ?? ''
  if (value !== undefined) Reflect.set(holder, last, value)
  else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else Reflect.deleteProperty(holder, last)
  return result
}
