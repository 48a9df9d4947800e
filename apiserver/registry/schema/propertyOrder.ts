import type { Schema } from '../../meta/schema.ts'

export type Properties = NonNullable<Schema['properties']>

/**
 * The properties of a schema, prepared once, so that the cost of an object depends on its members
 * and not on its schema.
 */
interface PropertyOrder {
  /** All names, in the order of the schema. */
  names: readonly string[]
  position: ReadonlyMap<string, number>
  /** Names of mandatory fields, which have a value even if absent. */
  constant: readonly string[]
  /** Names of properties with a default. */
  defaulted: readonly string[]
}

const orders = new WeakMap<Properties, PropertyOrder>()

export const noProperties: Properties = {}

export function orderOf(properties: Properties): PropertyOrder {
  let order = orders.get(properties)
  if (order === undefined) {
    const names = Object.keys(properties)
    order = {
      names,
      position: new Map(names.map((name, index) => [name, index])),
      constant: names.filter((name) => properties[name]?.zero !== undefined),
      defaulted: names.filter((name) => properties[name]?.default !== undefined),
    }
    orders.set(properties, order)
  }
  return order
}

/**
 * Maximum number of properties for which all are visited, which is cheaper than looking for the
 * present ones.
 */
const maxVisited = 16

/**
 * Names of properties to visit for a value, in the order of the schema: at least the present ones,
 * and those in `absent`, a subset of the names.
 */
export function visitedNames(
  value: Record<string, unknown>,
  properties: Properties,
  absent: readonly string[] = [],
): readonly string[] {
  const { names, position } = orderOf(properties)
  if (names.length <= maxVisited) return names
  const present = Object.keys(value).filter((name) => position.has(name))
  const missing = absent.filter((name) => !Object.hasOwn(value, name))
  return inOrder([...present, ...missing], position)
}

function inOrder(names: string[], position: ReadonlyMap<string, number>): string[] {
  const placeOf = (name: string | undefined) => position.get(name ?? '') ?? 0
  const isSorted = names.every((name, at) => at === 0 || placeOf(names[at - 1]) < placeOf(name))
  return isSorted ? names : names.sort((one, other) => placeOf(one) - placeOf(other))
}
