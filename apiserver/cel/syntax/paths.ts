/**
 * Path to a value below a variable. A path that extends another may be overwritten by a second
 * extension of it; known estimates depend on this.
 */
export interface Path {
  readonly names: string[]
  readonly length: number
  readonly capacity: number
}

export const nowhere: Path = { names: [], length: 0, capacity: 0 }

export function pathOf(name: string): Path {
  return { names: [name], length: 1, capacity: 1 }
}

/**
 * Extends a path. The prefix is shared while there is capacity, which doubles when it is exhausted.
 */
export function below({ names, length, capacity }: Path, name: string): Path {
  if (length < capacity) {
    names[length] = name
    return { names, length: length + 1, capacity }
  }
  const copied = [...names.slice(0, length), name]
  return { names: copied, length: length + 1, capacity: Math.max(1, capacity * 2) }
}

export function namesOf({ names, length }: Path): string[] {
  return names.slice(0, length)
}
