import { expect } from 'chai'
import { invalidField, requiredField } from '../../../apiserver/meta/fieldErrors.ts'
import { ratcheted } from '../../../apiserver/registry/schema/ratchet.ts'

describe('ratcheted', () => {
  const old = { spec: { a: 1, b: { c: 2 }, list: [1, 2] } }
  const cases = [
    { title: 'what is as it was passes', next: old, error: invalidField('spec.a', 1), kept: 0 },
    {
      title: 'what changed does not',
      next: { spec: { ...old.spec, a: 2 } },
      error: invalidField('spec.a', 2),
      kept: 1,
    },
    {
      title: 'a field that is missing as before passes where nothing beside it changed',
      next: { spec: { ...old.spec, a: 2 } },
      error: requiredField('spec.b.d'),
      kept: 0,
    },
    {
      title: 'a field that is missing in what changed does not',
      next: { spec: { ...old.spec, b: { c: 3 } } },
      error: requiredField('spec.b.d'),
      kept: 1,
    },
    {
      title: 'an item passes with its whole list',
      next: { spec: { ...old.spec, a: 2 } },
      error: invalidField('spec.list[0]', 1),
      kept: 0,
    },
    {
      title: 'an item of a list that changed does not',
      next: { spec: { ...old.spec, list: [1, 3] } },
      error: invalidField('spec.list[0]', 1),
      kept: 1,
    },
    {
      title: 'a path that cannot be followed counts as changed',
      next: { ...old, x: { 'y.z': 1 } },
      error: invalidField('x.y.z', 1),
      kept: 1,
    },
  ]
  const keyed = {
    properties: {
      list: {
        items: {},
        'x-kubernetes-list-type': 'map' as const,
        'x-kubernetes-list-map-keys': ['k'],
      },
    },
  }
  const items = [
    { k: 'a', v: 1 },
    { k: 'b', v: 2 },
  ]
  const lists = [
    { title: 'an item with keys passes at another place', next: items.toReversed(), kept: 0 },
    { title: 'an item with keys passes beside others', next: [items[1], { k: 'c' }], kept: 0 },
    { title: 'a new item with keys does not', next: [{ k: 'c', v: 2 }], kept: 1 },
    { title: 'an item with keys that changed does not', next: [{ k: 'b', v: 3 }], kept: 1 },
  ]
  for (const { title, next, kept } of lists) {
    it(title, () => {
      const at = Math.max(
        0,
        next.findIndex((item) => item?.k === 'b'),
      )
      const error = invalidField(`list[${at}].v`, 2)
      expect(ratcheted([error], { list: next }, { list: items }, keyed)).to.have.length(kept)
    })
  }

  for (const { title, next, error, kept } of cases) {
    it(title, () => {
      expect(ratcheted([error], next, old)).to.have.length(kept)
    })
  }
})
