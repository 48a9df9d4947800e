import { quantity } from './quantity.ts'

/** Quantities in the form of the API: numbers, or strings such as `10Gi`. */
export type Quantities = Readonly<Record<string, string | number>>

interface QuotaBarsProps {
  /** Limits by resource. */
  limits: Quantities
  used: Quantities
}

/** Limits and their usage. */
export function QuotaBars({ limits, used }: QuotaBarsProps) {
  return (
    <ul className="stack">
      {Object.entries(limits).map(([key, limit]) => {
        const now = used[key] ?? 0
        const part = partOf(now, limit)
        const isFull = part >= 1
        return (
          <li key={key} className="stack tight">
            <span className="numbers wrap">
              {key}: {now} of {limit}
              {isFull ? <strong> – used up</strong> : null}
            </span>
            <span className="quota-bar" data-full={isFull || undefined} aria-hidden="true">
              <span style={{ width: `${part * 100}%` }} />
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** Used fraction of a limit, from 0 to 1. */
export function partOf(used: string | number, limit: string | number): number {
  const [now, most] = [quantity(used), quantity(limit)]
  if (Number.isNaN(now) || Number.isNaN(most)) return 0
  if (most <= 0) return 1
  return Math.min(1, now / most)
}

/** Quantities in any value. */
export function quantitiesIn(map: Readonly<Record<string, unknown>>): Quantities {
  const isQuantity = (pair: [string, unknown]): pair is [string, string | number] =>
    typeof pair[1] === 'string' || typeof pair[1] === 'number'
  return Object.fromEntries(Object.entries(map).filter(isQuantity))
}
