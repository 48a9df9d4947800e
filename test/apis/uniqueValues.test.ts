import { expect } from 'chai'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { UniqueValues } from '../../apiserver/apis/uniqueValues.ts'
import { turns } from '../support/eventually.ts'

interface Holder {
  key: string
}

describe('UniqueValues', () => {
  let newest: Map<string, string>
  let values: UniqueValues<Holder>

  beforeEach(() => {
    newest = new Map()
    values = new UniqueValues(
      (value, { key }) => newest.get(key) === value,
      (one, other) => one.key === other.key,
    )
  })

  it('a value is taken by the newest state, even before that is stored', () => {
    const [a, b] = [{ key: 'a' }, { key: 'b' }]
    values.take('v', a)
    expect(values.holder('v')).to.equal(undefined)
    newest.set('a', 'v')
    expect(values.holder('v')).to.equal(a)
    values.add('v', { ...a })
    newest.delete('a')
    values.take('v', b)
    newest.set('b', 'v')
    expect(values.holder('v')).to.equal(b)
  })

  it('a failed write does not hide the actual holder of a value', () => {
    const a = { key: 'a' }
    newest.set('a', 'v')
    values.add('v', a)
    values.take('v', { key: 'b' })
    expect(values.holder('v')).to.equal(a)
    values.remove('v', { key: 'b' })
    expect(values.holder('v')).to.equal(a)
    values.remove('v', { key: 'a' })
    expect(values.holder('v')).to.equal(undefined)
  })

  it('forgets only the values reserved for writes that never happened', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const held = { key: 'held' }
    newest.set('held', 'v')
    values.take('v', held)
    const refs = Array.from({ length: 5_000 }, (_, at) => {
      const holder = { key: `k${at}` }
      values.tidy()
      values.take(`v${at}`, holder)
      return new WeakRef(holder)
    })
    await turns(2)
    collect()
    expect(refs.filter((ref) => ref.deref() !== undefined).length).to.be.below(1_000)
    expect(values.holder('v')).to.equal(held)
  })
})
