/** Sets those of `defaults` that `target` leaves out. */
export function fill<T extends object>(target: T, defaults: Partial<T>): void {
  for (const [name, value] of Object.entries(defaults)) {
    const present: unknown = Reflect.get(target, name)
    if (present === undefined || present === null || present === '')
      Reflect.set(target, name, value)
  }
}

/** The same where an empty text is a value of its own. */
export function fillMissing<T extends object>(target: T, defaults: Partial<T>): void {
  for (const [name, value] of Object.entries(defaults)) {
    const present: unknown = Reflect.get(target, name)
    if (present === undefined || present === null) Reflect.set(target, name, value)
  }
}
