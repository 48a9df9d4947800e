import { expect } from 'chai'
import * as fc from 'fast-check'
import {
  digest,
  fromStore,
  toStore,
  type SecretData,
} from '../../../apiserver/platform/secretStore/storedData.ts'
import {
  decideSync,
  mergeOf,
  type SyncBase,
  type SyncState,
} from '../../../apiserver/platform/secretStore/syncDecision.ts'

const salt = 'uid'
const one: SecretData = { a: 'MQ==' }
const two: SecretData = { a: 'Mg==' }
const base = (version: number, data: SecretData, isDeleted = false): SyncBase => {
  return { mount: 'm', path: 'p', version, isDeleted, digest: digest(data, salt) }
}
const store = (version: number, data: SecretData) => {
  return { version, isDeleted: false, data: toStore(data, {}) }
}
const deleted = (version: number) => ({ version, isDeleted: true, data: {} })

describe('decideSync', () => {
  type Case = { name: string } & Omit<SyncState, 'salt'> & { want: unknown }
  const take = (data: SecretData) => ({ act: 'take', data })
  const cases: Case[] = [
    { name: 'nothing anywhere', local: {}, store: deleted(0), base: undefined, want: 'none' },
    { name: 'first, here alone', local: one, store: deleted(0), base: undefined, want: 'push' },
    {
      name: 'first, there alone',
      local: {},
      store: store(3, one),
      base: undefined,
      want: take(one),
    },
    { name: 'first, both', local: one, store: store(3, two), base: undefined, want: 'merge' },
    { name: 'first, deleted there', local: one, store: deleted(3), base: undefined, want: 'push' },
    { name: 'the same', local: one, store: store(3, one), base: base(3, one), want: 'none' },
    { name: 'changed here', local: two, store: store(3, one), base: base(3, one), want: 'push' },
    { name: 'emptied here', local: {}, store: store(3, one), base: base(3, one), want: 'push' },
    {
      name: 'changed there',
      local: one,
      store: store(4, two),
      base: base(3, one),
      want: take(two),
    },
    { name: 'deleted there', local: one, store: deleted(3), base: base(3, one), want: take({}) },
    {
      name: 'undeleted',
      local: {},
      store: store(3, one),
      base: base(3, {}, true),
      want: take(one),
    },
    { name: 'still deleted', local: {}, store: deleted(3), base: base(3, {}, true), want: 'none' },
    { name: 'filled after', local: one, store: deleted(3), base: base(3, {}, true), want: 'push' },
    { name: 'both changed', local: two, store: store(4, {}), base: base(3, one), want: 'merge' },
    { name: 'changed, deleted', local: two, store: deleted(3), base: base(3, one), want: 'push' },
    { name: 'forgotten', local: one, store: deleted(0), base: base(3, one), want: 'push' },
    { name: 'forgotten, empty', local: {}, store: deleted(0), base: base(3, one), want: 'none' },
    { name: 'set up anew', local: one, store: store(3, two), base: base(3, one), want: take(two) },
    { name: 'rolled back', local: one, store: store(1, two), base: base(3, one), want: take(two) },
  ]
  for (const { name, want, ...state } of cases) {
    it(`${name}: ${typeof want === 'string' ? want : 'take'}`, () => {
      const expected = typeof want === 'string' ? { act: want } : want
      expect(decideSync({ ...state, salt })).to.deep.equal(expected)
    })
  }

  it('both sides converge after a few turns of any changes, and stay equal', () => {
    const data = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('MQ==', 'Mg==', ''))
    const step = fc.oneof(
      data.map((value) => (side: Sides) => void (side.local = sorted(value))),
      data.map((value) => (side: Sides) => void side.versions.push(toStore(value, {}))),
      fc.constant((side: Sides) => void side.deleted.add(side.versions.length)),
      fc.constant(settle),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const sides: Sides = { local: {}, versions: [], deleted: new Set(), base: undefined }
        for (const act of steps) act(sides)
        settle(sides)
        const newest = stateOf(sides)
        expect(decideSync(newest)).to.deep.equal({ act: 'none' })
        expect(sides.local).to.deep.equal(fromStore(newest.store.data))
      }),
    )
  })
})

/** Object and secret in the store, as a model. */
interface Sides {
  local: SecretData
  versions: Readonly<Record<string, unknown>>[]
  deleted: Set<number>
  base: SyncBase | undefined
}

function sorted(data: SecretData): SecretData {
  return Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function secretAt({ versions, deleted: gone }: Sides, version: number): SyncState['store'] {
  const isDeleted = version === 0 || gone.has(version)
  return { version, isDeleted, data: isDeleted ? {} : (versions[version - 1] ?? {}) }
}

function stateOf(sides: Sides): SyncState {
  const { local, versions, base: common } = sides
  return { local, store: secretAt(sides, versions.length), base: common, salt }
}

function settle(sides: Sides): void {
  for (let turn = 0; turn < 4; turn++) {
    const state = stateOf(sides)
    const decision = decideSync(state)
    const { version, isDeleted, data } = state.store
    if (decision.act === 'push') {
      sides.versions.push(toStore(sides.local, data))
      sides.base = base(sides.versions.length, sides.local)
    } else if (decision.act === 'take') {
      sides.local = decision.data
      sides.base = base(version, sides.local, isDeleted)
    } else if (decision.act === 'merge') {
      const common = sides.base === undefined ? undefined : secretAt(sides, sides.base.version)
      sides.local = mergeOf(state, common?.isDeleted === true ? undefined : common)
      sides.base = base(version, fromStore(data))
    }
  }
}
