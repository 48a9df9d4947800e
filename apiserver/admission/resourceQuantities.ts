import { formatQuantity, nanos, parseQuantity, type Quantity } from '../meta/quantity.ts'

/** Quantities of resources by name, in billionths. */
export type ResourceQuantities = ReadonlyMap<string, ResourceQuantity>

export interface ResourceQuantity {
  nanos: bigint
  form: Quantity['form']
}

export const noQuantities: ResourceQuantities = new Map()

export function quantityOf(string: string): ResourceQuantity {
  const quantity = parseQuantity(string)
  if (quantity === undefined) return wholeQuantity(0)
  return { nanos: nanos(quantity), form: quantity.form }
}

export function wholeQuantity(count: number): ResourceQuantity {
  return { nanos: BigInt(count) * 10n ** 9n, form: 'decimal' }
}

export function quantitiesOf(strings: Readonly<Record<string, string>> = {}): ResourceQuantities {
  return new Map(Object.entries(strings).map(([name, one]) => [name, quantityOf(one)]))
}

/** Adds a quantity; a zero takes on the format of the added quantity. */
export function addQuantity(
  a: ResourceQuantity | undefined,
  b: ResourceQuantity,
): ResourceQuantity {
  if (a === undefined || a.nanos === 0n) return b
  return { nanos: a.nanos + b.nanos, form: a.form }
}

export function sumQuantities(...all: readonly ResourceQuantities[]): ResourceQuantities {
  const sum = new Map<string, ResourceQuantity>()
  for (const one of all) {
    for (const [name, quantity] of one) sum.set(name, addQuantity(sum.get(name), quantity))
  }
  return sum
}

export function quantityString({ nanos, form }: ResourceQuantity): string {
  return formatQuantity({ digits: nanos, exponent: -9, form })
}

/** Quantities as a string, sorted by name: `cpu=1,pods=2`. */
export function quantitiesString(quantities: ResourceQuantities): string {
  return [...quantities]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, quantity]) => `${name}=${quantityString(quantity)}`)
    .join(',')
}
