/** Sets a member of a plain object, as parsing JSON does: a name `__proto__` is a plain one. */
export function setMember(target: object, name: string, value: unknown): void {
  if (name !== '__proto__') (target as Record<string, unknown>)[name] = value
  else Object.defineProperty(target, name, { ...plain, value })
}

/** The own member of that name; undefined where there is none, whatever objects inherit. */
export function ownMember(source: object, name: string): unknown {
  return Object.hasOwn(source, name) ? source[name as keyof typeof source] : undefined
}

const plain = { configurable: true, enumerable: true, writable: true }

/** A copy that fields are added to. The engine gives a copy by spread syntax a hidden class of its own, and each field
 *  added to it makes one more, which no code has seen before: every access to such an object is a slow one. */
export function shallowCopy<T extends object>(source: T): T {
  const copy = {} as T // Filled below.
  for (const name in source) setMember(copy, name, source[name])
  return copy
}
