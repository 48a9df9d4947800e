import { expect } from 'chai'
import * as fc from 'fast-check'
import {
  digest,
  fromStore,
  merged,
  toStore,
  type SecretData,
} from '../../../apiserver/platform/secretStore/storedData.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('data of a secret store', () => {
  const values: { name: string; store: unknown; here: string }[] = [
    { name: 'text', store: 'häß', here: base64('häß') },
    { name: 'empty text', store: '', here: '' },
    { name: 'a number', store: 1.5, here: base64('1.5') },
    { name: 'null', store: null, here: base64('null') },
    { name: 'a list', store: ['a'], here: base64('["a"]') },
    { name: 'bytes', store: { base64: '/w==' }, here: '/w==' },
  ]
  for (const { name, store, here } of values) {
    it(`${name} round-trips unchanged`, () => {
      expect(fromStore({ a: store })).to.deep.equal({ a: here })
      expect(toStore({ a: here }, { a: store })).to.deep.equal({ a: store })
    })
  }

  it('any data round-trips', () => {
    const bytes = fc.uint8Array().map((array) => Buffer.from(array).toString('base64'))
    fc.assert(
      fc.property(fc.dictionary(fc.string(), bytes), (data) => {
        expect(fromStore(toStore(data, {}))).to.deep.equal({ ...data })
      }),
    )
  })

  const merges: {
    name: string
    base: SecretData
    local: SecretData
    store: SecretData
    want: SecretData
  }[] = [
    {
      name: 'changes of one side',
      base: { a: '0' },
      local: { a: '1' },
      store: { a: '0' },
      want: { a: '1' },
    },
    {
      name: 'changes of the other',
      base: { a: '0' },
      local: { a: '0' },
      store: { a: '1' },
      want: { a: '1' },
    },
    {
      name: 'both the same key',
      base: { a: '0' },
      local: { a: '1' },
      store: { a: '2' },
      want: { a: '2' },
    },
    {
      name: 'added on both',
      base: {},
      local: { a: '1' },
      store: { b: '2' },
      want: { a: '1', b: '2' },
    },
    { name: 'removed here', base: { a: '0' }, local: {}, store: { a: '0' }, want: {} },
    { name: 'removed there', base: { a: '0' }, local: { a: '0' }, store: {}, want: {} },
    {
      name: 'removed here, changed there',
      base: { a: '0' },
      local: {},
      store: { a: '1' },
      want: { a: '1' },
    },
    {
      name: 'changed here, removed there',
      base: { a: '0' },
      local: { a: '1' },
      store: {},
      want: {},
    },
  ]
  for (const { name, base, local, store, want } of merges) {
    it(`merges ${name}`, () => expect(merged(base, local, store)).to.deep.equal(want))
  }

  it('digests tell equal from different data, and do not reveal whether two objects are equal', () => {
    const a = digest({ x: '1', y: '2' }, 'one')
    expect([
      digest({ y: '2', x: '1' }, 'one') === a,
      digest({ x: '1' }, 'one') === a,
    ]).to.deep.equal([true, false])
    expect(digest({ x: '1', y: '2' }, 'two')).to.not.equal(a)
  })
})
