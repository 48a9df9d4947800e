/** Sets `defaults` for fields that `target` omits. */
export function fill<T extends object>(target: T, defaults: Partial<T>): void {
  for (const [name, value] of Object.entries(defaults)) {
    const present: unknown = Reflect.get(target, name)
    if (present === undefined || present === null || present === '')
      Reflect.set(target, name, value)
  }
}

/** Sets `defaults` like fill(), but keeps empty strings. */
export function fillMissing<T extends object>(target: T, defaults: Partial<T>): void {
  for (const [name, value] of Object.entries(defaults)) {
    const present: unknown = Reflect.get(target, name)
    if (present === undefined || present === null) Reflect.set(target, name, value)
  }
}
