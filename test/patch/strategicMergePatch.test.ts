import { expect } from 'chai'
import type { Schema } from '../../apiserver/meta/schema.ts'
import { applyStrategicMergePatch } from '../../apiserver/patch/strategicMergePatch.ts'
import { failure, refusal } from '../support/refusal.ts'

const port: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    port: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-patch-strategy': 'merge' },
  },
}

const schema: Schema = {
  type: 'object',
  properties: {
    ports: {
      type: 'array',
      items: port,
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    },
    keyless: { type: 'array', items: port, 'x-kubernetes-patch-strategy': 'merge' },
    tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-patch-strategy': 'merge' },
    args: { type: 'array', items: { type: 'string' } },
    strategy: {
      type: 'object',
      'x-kubernetes-patch-strategy': 'retainKeys',
      properties: { type: { type: 'string' }, rolling: { type: 'object' } },
    },
    whole: { type: 'object', 'x-kubernetes-patch-strategy': 'replace' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    raw: { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-map-type': 'atomic' },
  },
}

const a = { name: 'a', port: 1 }
const b = { name: 'b', port: 2 }
const c = { name: 'c', port: 3 }

/**
 * Orders of merged lists in the real library: items of the patch come first, unless they are later
 * in the live list.
 */
interface Case {
  name: string
  before?: Record<string, unknown>
  patch: Record<string, unknown>
  after: Record<string, unknown>
}

const maps: Case[] = [
  {
    name: 'maps are merged, null removes',
    before: { labels: { x: '1', y: '2' } },
    patch: { labels: { x: null, z: '3' } },
    after: { labels: { y: '2', z: '3' } },
  },
  {
    name: 'null for what is not there is nothing',
    patch: { labels: { x: null, z: '3' } },
    after: { labels: { z: '3' } },
  },
  {
    name: '$patch: replace takes the place of a map',
    before: { labels: { x: '1' } },
    patch: { labels: { $patch: 'replace', z: '3' } },
    after: { labels: { z: '3' } },
  },
  {
    name: '$patch: delete empties a map',
    before: { labels: { x: '1' } },
    patch: { labels: { $patch: 'delete' } },
    after: { labels: {} },
  },
  {
    name: '$patch in a map that is nowhere makes none',
    before: {},
    patch: { labels: { $patch: 'replace', z: '3' }, whole: { y: 1, x: { $patch: 'merge' } } },
    after: { whole: { y: 1 } },
  },
  {
    name: '$patch in a list that is nowhere leaves an empty one',
    before: {},
    patch: { ports: [{ $patch: 'replace' }] },
    after: { ports: [] },
  },
  {
    name: 'a map whose strategy is replace is replaced',
    before: { whole: { x: 1 } },
    patch: { whole: { y: 2 } },
    after: { whole: { y: 2 } },
  },
  {
    name: '$retainKeys removes what it does not name',
    before: { strategy: { type: 'Rolling', rolling: { x: 1 } } },
    patch: { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
    after: { strategy: { type: 'Recreate' } },
  },
]

const lists: Case[] = [
  {
    name: 'a list without a strategy is replaced',
    before: { args: ['x', 'y'] },
    patch: { args: ['z'] },
    after: { args: ['z'] },
  },
  {
    name: 'a list of scalars is joined, without doubles',
    before: { tags: ['x', 'y'] },
    patch: { tags: ['y', 'z'] },
    after: { tags: ['x', 'y', 'z'] },
  },
  {
    name: '$deleteFromPrimitiveList takes scalars out',
    before: { tags: ['x', 'y', 'z'] },
    patch: { '$deleteFromPrimitiveList/tags': ['y', 'nothing'] },
    after: { tags: ['x', 'z'] },
  },
  {
    name: '$deleteFromPrimitiveList beside additions',
    before: { tags: ['x', 'y'] },
    patch: { '$deleteFromPrimitiveList/tags': ['x'], tags: ['z'] },
    after: { tags: ['z', 'y'] },
  },
  {
    name: '$deleteFromPrimitiveList of a list that is nowhere',
    patch: { '$deleteFromPrimitiveList/tags': ['x'] },
    after: {},
  },
  {
    name: '$setElementOrder of scalars',
    before: { tags: ['x', 'y', 'z'] },
    patch: { '$setElementOrder/tags': ['z', 'x', 'y'] },
    after: { tags: ['z', 'x', 'y'] },
  },
  {
    name: 'items are matched by the merge key',
    before: { ports: [a, b] },
    patch: { ports: [{ name: 'b', port: 20 }, c] },
    after: { ports: [a, { name: 'b', port: 20 }, c] },
  },
  {
    name: 'items are merged deeply',
    before: { ports: [{ ...a, tags: ['x'] }] },
    patch: { ports: [{ name: 'a', port: null, tags: ['y'] }] },
    after: { ports: [{ name: 'a', tags: ['y', 'x'] }] },
  },
  {
    name: '$patch: delete removes an item',
    before: { ports: [a, b] },
    patch: { ports: [{ $patch: 'delete', name: 'a' }] },
    after: { ports: [b] },
  },
  {
    name: '$patch: delete of an item that is not there',
    before: { ports: [a] },
    patch: { ports: [{ $patch: 'delete', name: 'z' }] },
    after: { ports: [a] },
  },
  {
    name: '$patch: replace in a list takes the place of all',
    before: { ports: [a, b] },
    patch: { ports: [{ $patch: 'replace' }, c] },
    after: { ports: [c] },
  },
  {
    name: '$setElementOrder of items',
    before: { ports: [a, b, c] },
    patch: { '$setElementOrder/ports': [{ name: 'c' }, { name: 'a' }, { name: 'b' }] },
    after: { ports: [c, a, b] },
  },
  {
    name: 'a new list has no directives in it',
    patch: { ports: [{ $patch: 'delete', name: 'z' }, a] },
    after: { ports: [a] },
  },
]

describe('applyStrategicMergePatch', () => {
  for (const { name, before = {}, patch, after } of [...maps, ...lists]) {
    it(`${name} (reference 3.9)`, () => {
      const [target, sent] = [structuredClone(before), structuredClone(patch)]
      expect(applyStrategicMergePatch(target, sent, schema)).to.deep.equal(after)
      expect([target, sent]).to.deep.equal([before, patch])
    })
  }

  it('null changes nothing (reference 3.9)', () => {
    expect(applyStrategicMergePatch({ labels: { x: '1' } }, null, schema)).to.deep.equal({
      labels: { x: '1' },
    })
  })

  const refused: { name: string; patch: unknown; want: unknown }[] = [
    {
      name: 'a list',
      patch: [],
      want: failure(
        400,
        'BadRequest',
        'json: cannot unmarshal array into Go value of type map[string]interface {}',
      ),
    },
    {
      name: '$retainKeys that is no list',
      patch: { strategy: { $retainKeys: 'type' } },
      want: failure(400, 'BadRequest', 'invalid patch format of retainKeys'),
    },
    {
      name: '$retainKeys without a field that is set',
      patch: { strategy: { $retainKeys: ['rolling'], type: 'x' } },
      want: failure(400, 'BadRequest', 'invalid patch format of retainKeys'),
    },
    {
      name: '$deleteFromPrimitiveList that is no list',
      patch: { '$deleteFromPrimitiveList/tags': 'x' },
      want: failure(400, 'BadRequest', 'invalid patch format of primitive list'),
    },
    {
      name: '$setElementOrder that is no list',
      patch: { '$setElementOrder/tags': 'x' },
      want: failure(400, 'BadRequest', 'invalid patch format of setElementOrder list'),
    },
    {
      name: 'a list beside a string',
      patch: { tags: [['x']] },
      want: failure(500, '', 'list element types are not identical: [[t] [[x]]]'),
    },
    {
      name: '$patch: merge',
      patch: { strategy: { $patch: 'merge', type: 'x' } },
      want: failure(500, '', 'unknown patch type: merge in map: map[$patch:merge type:x]'),
    },
    {
      name: '$patch that is no text',
      patch: { strategy: { $patch: 5 } },
      want: failure(500, '', 'unknown patch type: %!s(int64=5) in map: map[$patch:5]'),
    },
    {
      name: '$patch: merge of an item',
      patch: { ports: [{ $patch: 'merge', name: 'b' }] },
      want: failure(500, '', 'merging lists cannot yet be specified in the patch'),
    },
    {
      name: 'an unknown $patch of an item',
      patch: { ports: [{ $patch: 'odd', name: 'b' }] },
      want: failure(500, '', 'unknown patch type: odd in map: map[$patch:odd name:b]'),
    },
    {
      name: '$patch: delete of an item without its key',
      patch: { ports: [{ $patch: 'delete' }] },
      want: failure(500, '', 'map: map[$patch:delete] does not contain declared merge key: name'),
    },
    {
      name: 'an item without its key',
      patch: { ports: [{ port: 5 }] },
      want: failure(500, '', 'map: map[port:5] does not contain declared merge key: name'),
    },
    {
      name: 'items of a list without a merge key',
      patch: { keyless: [a] },
      want: failure(500, '', 'cannot merge lists without merge key for struct'),
    },
    {
      name: 'a map inside of free content',
      patch: { raw: { map: { a: 1 } } },
      want: failure(
        500,
        '',
        'unable to find api field in struct RawExtension for the json field "map"',
      ),
    },
  ]
  for (const { name, patch, want } of refused) {
    it(`${name} is refused (reference 3.9)`, async () => {
      const before = {
        ...{ strategy: { type: 'y' }, tags: ['t'], ports: [b], keyless: [b] },
        raw: { map: {}, text: 'x' },
      }
      expect(await refusal(() => applyStrategicMergePatch(before, patch, schema))).to.deep.equal(
        want,
      )
    })
  }

  it('replaces scalars of free content, and removes its members', () => {
    const before = { raw: { text: 'x', map: {}, list: [1] } }
    const patch = { raw: { text: 'y', map: null, list: 'no list' } }
    expect(applyStrategicMergePatch(before, patch, schema)).to.deep.equal({
      raw: { text: 'y', list: 'no list' },
    })
  })
})
