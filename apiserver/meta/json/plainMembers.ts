/** Sets a member of a plain object, like parsing JSON: the name `__proto__` is not special. */
export function setMember(target: object, name: string, value: unknown): void {
  if (name !== '__proto__') (target as Record<string, unknown>)[name] = value
  else Object.defineProperty(target, name, { ...plain, value })
}

/** The own member of that name; undefined if there is none, ignoring inherited ones. */
export function ownMember(source: object, name: string): unknown {
  return Object.hasOwn(source, name) ? source[name as keyof typeof source] : undefined
}

const plain = { configurable: true, enumerable: true, writable: true }

/**
 * A copy for adding fields. The engine gives a copy by spread syntax a hidden class of its own, and each added field
 * creates another one that no code has seen: every access to such an object is slow.
 */
export function shallowCopy<T extends object>(source: T): T {
  const copy = {} as T // Filled below.
  for (const name in source) setMember(copy, name, source[name])
  return copy
}
