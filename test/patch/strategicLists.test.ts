import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import fc from 'fast-check'
import { isObject } from '../../apiserver/meta/json/isObject.ts'
import type { StatusError } from '../../apiserver/meta/status.ts'
import type { Schema } from '../../apiserver/meta/schema.ts'
import { inElementOrder } from '../../apiserver/patch/elementOrder.ts'
import { mergeLists } from '../../apiserver/patch/strategicLists.ts'
import { applyStrategicMergePatch } from '../../apiserver/patch/strategicMergePatch.ts'
import { deadline } from '../support/deadlines.ts'

type Fields = Record<string, unknown>

/** Naive model: every item is searched in the whole list. */
const model = {
  inElementOrder(
    list: readonly unknown[],
    order: readonly unknown[],
    { live, mergeKey }: { live: readonly unknown[]; mergeKey: string | undefined },
  ): unknown[] {
    // A missing key is null.
    const keyOf = (item: unknown) =>
      mergeKey !== undefined && isObject(item) ? (item[mergeKey] ?? null) : item
    const rankIn = (items: readonly unknown[], item: unknown) =>
      items.findIndex((other) => isDeepStrictEqual(keyOf(other), keyOf(item)))
    const byRank = (items: readonly unknown[]) => (a: unknown, b: unknown) =>
      rankIn(items, a) - rankIn(items, b)
    const named = list.filter((item) => rankIn(order, item) >= 0).sort(byRank(order))
    const others = list.filter((item) => rankIn(order, item) < 0).sort(byRank(live))
    const result: unknown[] = []
    while (named.length > 0 || others.length > 0) {
      const [nextOther, nextNamed] = [rankIn(live, others[0]), rankIn(live, named[0])]
      const otherFirst =
        named.length === 0 ||
        (others.length > 0 && nextNamed >= 0 && nextOther >= 0 && nextOther < nextNamed)
      result.push(otherFirst ? others.shift() : named.shift())
    }
    return result
  },

  /** Merged list of objects; undefined: an item has no key. */
  mergeLists(original: readonly unknown[], patch: readonly Fields[]): unknown[] | undefined {
    const content = patch.filter((item) => !('$patch' in item))
    const isDeletion = (item: Fields) => item['$patch'] === 'delete'
    if (patch.some((item) => isDeletion(item) && !('name' in item))) return undefined
    if (patch.some((item) => item['$patch'] === 'replace')) return content
    const result = original.filter(
      (item) =>
        !isObject(item) ||
        !patch.some((other) => isDeletion(other) && isDeepStrictEqual(item['name'], other['name'])),
    )
    for (const item of content) {
      if (!('name' in item)) return undefined
      const at = result.findIndex(
        (old) => isObject(old) && isDeepStrictEqual(old['name'], item['name']),
      )
      if (at >= 0) result[at] = mergeItems(result[at], item)
      else result.push(mergeItems({}, item))
    }
    return model.inElementOrder(result, content, { live: original, mergeKey: 'name' })
  },
}

/** Merging may change the key: a null is removed, a list is sorted. */
function mergeItems(old: unknown, next: unknown): Fields {
  return applyStrategicMergePatch(old, next, {}) as Fields
}

function merged(original: unknown[], patch: Fields[]): unknown {
  try {
    return mergeLists(original, patch, { mergeKey: 'name', mergeItems })
  } catch (error) {
    if (String(error).includes('does not contain declared merge key')) return undefined
    throw error
  }
}

const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>('a', 'b', 'c', 'd') },
  fc.constantFrom<unknown>(
    0,
    -0,
    1,
    '1',
    '0',
    '-0',
    true,
    'true',
    null,
    'null',
    '[]',
    '\0[]',
    '\0-0',
  ),
  fc.constantFrom<unknown>([], [0], [-0], ['0'], {}, { a: 1, b: 2 }, { b: 2, a: 1 }, { a: null }),
)
const plain = { noNullPrototype: true } as const
const item = fc.record<Fields>({ name: key, n: fc.nat() }, { requiredKeys: [], ...plain })
const items = fc.array(fc.oneof({ weight: 5, arbitrary: item }, key), { maxLength: 8 })
const content = fc.record<Fields>({ name: key, m: fc.nat() }, { requiredKeys: ['name'], ...plain })
const patchItem = fc.oneof(
  { weight: 6, arbitrary: content },
  fc.record<Fields>({ name: key, $patch: fc.constant('delete') }, plain),
  fc.record<Fields>({ name: key, '$setElementOrder/name': fc.constant([]) }, plain),
)
const oddPatchItem = fc.oneof(
  { weight: 20, arbitrary: patchItem },
  fc.constantFrom<Fields>({ $patch: 'delete' }, { $patch: 'replace' }, { m: 1 }),
)

const runs = { numRuns: 2000 }

describe('inElementOrder', () => {
  for (const mergeKey of ['name', undefined]) {
    it(`agrees with the naive model ${mergeKey ? 'with' : 'without'} a merge key`, () => {
      const lists = fc.tuple(items, items, items)
      fc.assert(
        fc.property(lists, ([list, order, live]) => {
          const options = { live, mergeKey }
          const want = model.inElementOrder(list, order, options)
          expect(isDeepStrictEqual(inElementOrder(list, order, options), want)).to.equal(true)
        }),
        runs,
      )
    })
  }
})

describe('mergeLists', () => {
  for (const { name, of } of [
    { name: 'items with keys', of: patchItem },
    { name: 'items without keys, and replacing', of: oddPatchItem },
  ]) {
    it(`agrees with the naive model: ${name}`, () => {
      const original = items.map((list) => list.filter(isObject))
      fc.assert(
        fc.property(original, fc.array(of, { minLength: 1, maxLength: 8 }), (before, patch) => {
          const want = model.mergeLists(before, patch)
          expect(isDeepStrictEqual(merged(before, patch), want)).to.equal(true)
        }),
        runs,
      )
    })
  }
})

describe('mergeLists of mixed types', () => {
  const rows: [string, unknown[], unknown[], string | undefined][] = [
    [
      'refuses a null beside an object with 500',
      [{ name: 'a' }],
      [null],
      '500 [[map[name:a]] [<nil>]]',
    ],
    ['refuses a number beside a string with 500', ['a'], [5], '500 [[a] [5]]'],
    ['refuses a list in a list with 422', [], [[]], '422'],
    ['takes nulls that stand first', [null], ['a'], undefined],
  ]
  for (const [title, original, patch, refused] of rows) {
    it(title, () => {
      let found: string | undefined
      try {
        mergeLists(original, patch, { mergeKey: 'name', mergeItems })
      } catch (error) {
        const { code, message } = error as StatusError // what it is checked for
        const lists = /not identical: (.*)/.exec(message)?.[1]
        found = [code, lists].filter((word) => word !== undefined).join(' ')
      }
      expect(found).to.equal(refused)
    })
  }
})

describe('applyStrategicMergePatch of long lists', () => {
  const count = 20_000
  const schema: Schema = {
    properties: {
      texts: { items: { type: 'string' }, 'x-kubernetes-patch-strategy': 'merge' },
      items: {
        items: { type: 'object' },
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': 'name',
      },
    },
  }
  const texts = (prefix: string) => Array.from({ length: count }, (_, n) => `${prefix}/${n}`)
  const named = (prefix: string) => texts(prefix).map((name) => ({ name }))
  const both = { texts: texts('a'), items: named('a') }
  const cases = [
    { name: 'texts', patch: { texts: texts('b') } },
    { name: 'items', patch: { items: named('b') } },
    { name: 'texts to delete', patch: { '$deleteFromPrimitiveList/texts': texts('b') } },
    {
      name: 'items to delete',
      patch: { items: named('b').map((each) => ({ ...each, $patch: 'delete' })) },
    },
    { name: 'an order of texts', patch: { '$setElementOrder/texts': texts('a').reverse() } },
    { name: 'an order of items', patch: { '$setElementOrder/items': named('a').reverse() } },
  ]
  for (const { name, patch } of cases) {
    it(`takes less than 2 s for ${count} ${name}`, () => {
      const start = performance.now()
      const after = applyStrategicMergePatch(both, patch, schema)
      expect(performance.now() - start).to.be.below(deadline(500))
      expect(after).to.have.all.keys('texts', 'items')
    })
  }
})
