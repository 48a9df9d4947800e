/** Two values that differ at a JSON path. undefined: absent on that side. */
export interface Difference {
  /** Document or response with the difference: `openapi/v2`, `table pods`. */
  part: string
  path: string
  real: unknown
  ours: unknown
}

/**
 * Differences of two JSON values. Members named by `ignores` are not compared, at any depth; absent
 * and present members differ. Lists of scalars are compared as a whole, others item by item.
 */
export function jsonDifferences(
  part: string,
  real: unknown,
  ours: unknown,
  ignores: ReadonlySet<string> = new Set(),
): Difference[] {
  const found: Difference[] = []
  compare({ real, ours, path: '' })
  return found

  function compare(pair: { real: unknown; ours: unknown; path: string }): void {
    const { path } = pair
    if (isObject(pair.real) && isObject(pair.ours))
      return compareMembers(pair.real, pair.ours, path)
    if (isItemList(pair.real) && isItemList(pair.ours)) {
      return compareMembers({ ...pair.real }, { ...pair.ours }, path)
    }
    if (JSON.stringify(pair.real) !== JSON.stringify(pair.ours)) found.push({ part, ...pair })
  }

  function compareMembers(left: JsonObject, right: JsonObject, path: string): void {
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
      // A property may have the name of an ignored member: properties are below `properties`.
      if (ignores.has(name) && !path.endsWith('.properties')) continue
      compare({ real: left[name], ours: right[name], path: `${path}.${name}` })
    }
  }
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isItemList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.some(isObject)
}
