type Json = unknown

export interface Merged {
  value: Json
  /** Paths that both sides changed to different values; the merged value has mine. */
  conflicts: readonly string[]
}

/** Merges two changes of one value: `mine` and `theirs`, both based on `base`. Lists are atomic. */
export function threeWay(base: Json, mine: Json, theirs: Json, path = ''): Merged {
  if (isSame(mine, base)) return { value: theirs, conflicts: [] }
  if (isSame(theirs, base) || isSame(mine, theirs)) return { value: mine, conflicts: [] }
  if (!isMap(mine) || !isMap(theirs)) return { value: mine, conflicts: [path] }
  const from = isMap(base) ? base : {}
  const value: Record<string, Json> = {}
  const conflicts: string[] = []
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const below = path === '' ? key : `${path}.${key}`
    const made = threeWay(own(from, key), own(mine, key), own(theirs, key), below)
    if (made.value !== undefined) value[key] = made.value
    conflicts.push(...made.conflicts)
  }
  return { value, conflicts }
}

function own(map: Readonly<Record<string, Json>>, key: string): Json {
  return Object.hasOwn(map, key) ? map[key] : undefined
}

function isMap(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reports whether two JSON values are equal, in any order of keys. */
export function isSame(a: Json, b: Json): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => isSame(item, b[at]))
  if (!isMap(a) || !isMap(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  )
}
