import { expect } from 'chai'
import { SeededRandom } from '../crash/seededRandom.ts'
import { checkLinearizable } from './checkLinearizable.ts'
import { objectModel, type ObjectOperation, type ObjectState } from './objectModel.ts'

const histories = 3_000

/** Reports whether any order of all operations is allowed, by trying every order. */
function isExplained(
  left: readonly ObjectOperation[],
  state: ObjectState = objectModel.initial,
): boolean {
  if (left.length === 0) return true
  return left.some((next) => {
    if (left.some(({ end }) => end < next.call)) return false
    const others = left.filter((one) => one !== next)
    return objectModel.step(state, next).some((after) => isExplained(others, after))
  })
}

/** Few operations of any type, with responses that may or may not be possible. */
function randomHistory(random: SeededRandom): ObjectOperation[] {
  const count = random.between(1, 7)
  return Array.from({ length: count }, (_, caller) => {
    const call = random.between(0, 12)
    const action = (['create', 'update', 'delete', 'get'] as const)[random.between(0, 4)] ?? 'get'
    const isExpected = random.fraction() < 0.5
    return {
      ...{ caller, name: 'x', action, call, end: call + random.between(1, 8) },
      ...((action === 'create' || action === 'update') && { wrote: `v${caller}` }),
      ...(action === 'update' && isExpected && { expected: random.between(1, 4) }),
      outcome: randomOutcome(action, caller, random),
    }
  })
}

function randomOutcome(
  action: ObjectOperation['action'],
  caller: number,
  random: SeededRandom,
): ObjectOperation['outcome'] {
  const choice = random.fraction()
  const revision = random.between(1, 4)
  if (action === 'get')
    return choice < 0.4
      ? { kind: 'absent' }
      : { kind: 'done', value: `v${random.between(0, 3)}`, revision }
  if (choice < 0.15) return { kind: 'unknown' }
  if (choice < 0.4)
    return { kind: action === 'create' ? 'exists' : choice < 0.3 ? 'absent' : 'conflict' }
  if (action === 'delete') return { kind: 'done' }
  return { kind: 'done', value: `v${caller}`, revision }
}

describe('checkLinearizable', () => {
  it('agrees with a search of all orders for every random history of up to six operations', () => {
    const random = new SeededRandom(7)
    const counts = { explained: 0, contradictory: 0 }
    for (let at = 0; at < histories; at++) {
      const history = randomHistory(random)
      const expected = isExplained(history)
      const found = checkLinearizable(history, objectModel) === undefined
      expect(found, JSON.stringify(history)).to.equal(expected)
      counts[expected ? 'explained' : 'contradictory']++
    }
    expect(counts.explained).to.be.above(100)
    expect(counts.contradictory).to.be.above(100)
  })
})
