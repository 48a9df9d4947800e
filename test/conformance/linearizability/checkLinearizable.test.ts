import { expect } from 'chai'
import { checkLinearizable } from './checkLinearizable.ts'
import { objectModel, type ObjectOperation, type Outcome } from './objectModel.ts'
import { deadline } from '../../support/deadlines.ts'

type Given =
  | [call: number, end: number, action: ObjectOperation['action'], outcome: Outcome]
  | [
      call: number,
      end: number,
      action: ObjectOperation['action'],
      outcome: Outcome,
      more: { wrote?: string; expected?: number },
    ]

const done = (value: string, revision: number): Outcome => ({ kind: 'done', value, revision })
const gone: Outcome = { kind: 'done' }
const absent: Outcome = { kind: 'absent' }
const exists: Outcome = { kind: 'exists' }
const conflict: Outcome = { kind: 'conflict' }
const unknown: Outcome = { kind: 'unknown' }
const a = { wrote: 'a' }

const history = (given: readonly Given[]): ObjectOperation[] =>
  given.map(([call, end, action, outcome, more], caller) => ({
    call,
    end,
    action,
    outcome,
    caller,
    name: 'x',
    ...more,
  }))

const right: Record<string, Given[]> = {
  'nothing at all': [],
  'one write after the other, each read': [
    [0, 1, 'get', absent],
    [2, 3, 'create', done('a', 1), a],
    [4, 5, 'get', done('a', 1)],
    [6, 7, 'update', done('b', 2), { wrote: 'b', expected: 1 }],
    [8, 9, 'delete', gone],
    [10, 11, 'get', absent],
  ],
  'a read amid a write sees either': [
    [0, 9, 'create', done('a', 1), a],
    [1, 2, 'get', absent],
    [3, 4, 'get', done('a', 1)],
  ],
  'a refusal amid the write it is for': [
    [0, 9, 'create', done('a', 1), a],
    [1, 4, 'create', exists, { wrote: 'b' }],
    [5, 6, 'get', done('a', 1)],
  ],
  'a conflict with a write that ends later': [
    [0, 1, 'create', done('a', 1), a],
    [2, 9, 'update', done('b', 2), { wrote: 'b', expected: 1 }],
    [3, 5, 'update', conflict, { wrote: 'c', expected: 1 }],
    [6, 7, 'get', done('b', 2)],
  ],
  'a write without an answer that was done': [
    [0, 5, 'create', unknown, a],
    [6, 7, 'get', done('a', 4)],
    [8, 9, 'update', done('b', 5), { wrote: 'b', expected: 4 }],
  ],
  'a write without an answer that was not': [
    [0, 5, 'create', unknown, a],
    [6, 7, 'get', absent],
    [8, 9, 'create', done('b', 2), { wrote: 'b' }],
  ],
  'a write without an answer that could only be done later': [
    [0, 1, 'create', done('a', 1), a],
    [2, 20, 'create', unknown, { wrote: 'b' }],
    [3, 4, 'get', done('a', 1)],
    [5, 6, 'delete', gone],
    [7, 8, 'get', absent],
    [21, 22, 'get', done('b', 3)],
  ],
  'a deletion without an answer': [
    [0, 1, 'create', done('a', 1), a],
    [2, 5, 'delete', unknown],
    [6, 7, 'get', absent],
  ],
  'a conflict with a write that nobody was answered': [
    [0, 5, 'create', unknown, a],
    [6, 7, 'update', conflict, { wrote: 'b', expected: 7 }],
    [8, 9, 'get', done('a', 8)],
  ],
  'a deletion for a revision, and one that came too late': [
    [0, 1, 'create', done('a', 1), a],
    [2, 9, 'delete', gone, { expected: 1 }],
    [2, 9, 'delete', absent, { expected: 1 }],
  ],
}

const wrong: Record<string, Given[]> = {
  'AlreadyExists, then nothing is there': [
    [0, 9, 'create', done('a', 1), a],
    [1, 2, 'create', exists, { wrote: 'b' }],
    [3, 4, 'get', absent],
  ],
  'a conflict, then the revision that was refused': [
    [0, 1, 'create', done('a', 1), a],
    [2, 9, 'update', done('b', 2), { wrote: 'b', expected: 1 }],
    [3, 4, 'update', conflict, { wrote: 'c', expected: 1 }],
    [5, 6, 'get', done('a', 1)],
  ],
  'not found, then it is there': [
    [0, 1, 'create', done('a', 1), a],
    [2, 9, 'delete', gone],
    [3, 4, 'delete', absent],
    [5, 6, 'get', done('a', 1)],
  ],
  'a refusal for a write that a crash took back': [
    [0, 5, 'create', unknown, a],
    [1, 2, 'create', exists, { wrote: 'b' }],
    [6, 7, 'get', absent],
  ],
  'an acknowledged write that is lost': [
    [0, 1, 'create', done('a', 1), a],
    [2, 3, 'get', absent],
  ],
  'reads that go back': [
    [0, 1, 'create', done('a', 1), a],
    [2, 9, 'update', done('b', 2), { wrote: 'b', expected: 1 }],
    [3, 4, 'get', done('b', 2)],
    [5, 6, 'get', done('a', 1)],
  ],
  'two updates of one revision': [
    [0, 1, 'create', done('a', 1), a],
    [2, 9, 'update', done('b', 2), { wrote: 'b', expected: 1 }],
    [2, 9, 'update', done('c', 3), { wrote: 'c', expected: 1 }],
  ],
  'two creates that were done': [
    [0, 9, 'create', done('a', 1), a],
    [0, 9, 'create', done('b', 2), { wrote: 'b' }],
  ],
  'a value that nobody wrote': [
    [0, 1, 'create', done('a', 1), a],
    [2, 3, 'get', done('z', 1)],
  ],
  'one value at two revisions': [
    [0, 1, 'create', done('a', 1), a],
    [2, 3, 'get', done('a', 2)],
  ],
  'a write without an answer that comes after the server died': [
    [0, 5, 'create', unknown, a],
    [6, 7, 'get', absent],
    [8, 9, 'get', done('a', 1)],
  ],
  'a refusal without a reason': [[0, 1, 'create', exists, a]],
  'a conflict with nothing': [[0, 1, 'update', conflict, { wrote: 'a', expected: 1 }]],
  'an update of what is not there': [[0, 1, 'update', done('a', 1), { wrote: 'a', expected: 1 }]],
}

describe('checkLinearizable', () => {
  for (const [name, given] of Object.entries(right)) {
    it(`finds an order: ${name}`, () => {
      expect(checkLinearizable(history(given), objectModel)).to.equal(undefined)
    })
  }
  for (const [name, given] of Object.entries(wrong)) {
    it(`finds no order: ${name}`, () => {
      expect(checkLinearizable(history(given), objectModel)).to.not.equal(undefined)
    })
  }

  it('reports how far an order goes and what cannot follow', () => {
    const operations = history(wrong['AlreadyExists, then nothing is there'] ?? [])
    const [, , read] = operations
    expect(checkLinearizable(operations, objectModel)).to.deep.equal({
      explained: 2,
      state: { value: 'a', revision: 1 },
      stuck: [read],
    })
  })

  it('checks thousands of operations by sixteen callers quickly', () => {
    const operations: ObjectOperation[] = []
    for (let round = 0; round < 400; round++) {
      const call = round * 10
      const write = round === 0 ? 'create' : 'update'
      const more = { wrote: `${round}`, ...(round === 0 ? {} : { expected: round - 1 }) }
      const own: Given[] = [[call, call + 8, write, done(`${round}`, round), more]]
      for (let caller = 1; caller < 16; caller++) {
        const isBefore = caller % 2 === 0 && round > 0
        const seen = isBefore ? round - 1 : round
        own.push([call + caller / 100, call + 9, 'get', done(`${seen}`, seen)])
      }
      operations.push(...history(own))
    }
    const began = performance.now()
    expect(checkLinearizable(operations, objectModel)).to.equal(undefined)
    expect(performance.now() - began).to.be.below(deadline(500))
    const last = operations.at(-1)
    const broken = [...operations, ...history([[5_000, 5_001, 'get', done('7', 7)]])]
    expect(last).to.not.equal(undefined)
    expect(checkLinearizable(broken, objectModel)).to.include({ explained: operations.length })
  })

  it('gives a search up that has seen too many orders', () => {
    const open = Array.from({ length: 30 }, (_, at): Given => [at, 999, 'create', unknown, a])
    const impossible = history([...open, [1_000, 1_001, 'get', done('never written', 7)]])

    expect(checkLinearizable(impossible, objectModel, 1_000)).to.equal('undecided')
    expect(checkLinearizable(impossible.slice(-4), objectModel)).to.have.property('explained')
  })
})
