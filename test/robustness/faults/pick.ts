import type { SeededRandom } from '../../conformance/crash/seededRandom.ts'

/** Random item. @throws RangeError if there is none. */
export function pick<T>(items: readonly T[], random: SeededRandom): T {
  const item = items[random.between(0, items.length)]
  if (item === undefined) throw new RangeError('nothing to choose from')
  return item
}
