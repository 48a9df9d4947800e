import { formatQuantity, nanos, parseQuantity, type Quantity } from '../meta/quantity.ts'

/** Amounts of resources by name, in billionths. */
export type Amounts = ReadonlyMap<string, Amount>

export interface Amount {
  nanos: bigint
  form: Quantity['form']
}

export const noAmounts: Amounts = new Map()

export function amountOf(text: string): Amount {
  const quantity = parseQuantity(text)
  if (quantity === undefined) return wholeAmount(0)
  return { nanos: nanos(quantity), form: quantity.form }
}

export function wholeAmount(count: number): Amount {
  return { nanos: BigInt(count) * 10n ** 9n, form: 'decimal' }
}

export function amountsOf(texts: Readonly<Record<string, string>> = {}): Amounts {
  return new Map(Object.entries(texts).map(([name, text]) => [name, amountOf(text)]))
}

/** Zero takes the form of what is added to it. */
export function addAmount(a: Amount | undefined, b: Amount): Amount {
  if (a === undefined || a.nanos === 0n) return b
  return { nanos: a.nanos + b.nanos, form: a.form }
}

export function sumAmounts(...all: readonly Amounts[]): Amounts {
  const sum = new Map<string, Amount>()
  for (const one of all) {
    for (const [name, amount] of one) sum.set(name, addAmount(sum.get(name), amount))
  }
  return sum
}

export function amountText({ nanos, form }: Amount): string {
  return formatQuantity({ digits: nanos, exponent: -9, form })
}

/** `cpu=1,pods=2`, in the order of the names. */
export function amountsText(amounts: Amounts): string {
  return [...amounts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, amount]) => `${name}=${amountText(amount)}`)
    .join(',')
}
