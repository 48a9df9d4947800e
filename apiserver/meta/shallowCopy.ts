/** A copy that fields are added to. The engine gives a copy by spread syntax a hidden class of its own, and each field
 *  added to it makes one more, which no code has seen before: every access to such an object is a slow one. */
export function shallowCopy<T extends object>(source: T): T {
  const copy = {} as T // Filled below.
  for (const name in source) {
    const value = source[name]
    if (name !== '__proto__') copy[name] = value
    else Object.defineProperty(copy, name, { ...plainMember, value })
  }
  return copy
}

/** How a member stands in a parsed object: a key `__proto__` is a plain key too. */
export const plainMember = { configurable: true, enumerable: true, writable: true }
