import { expect } from 'chai'
import { mergedRepeats } from '../../../apiserver/endpoints/body/mergedRepeats.ts'
import type { Schema } from '../../../apiserver/meta/schema.ts'

const schema: Schema = {
  type: 'object',
  properties: {
    labels: { type: 'object', additionalProperties: { type: 'object', properties: { x: {} } } },
    spec: { type: 'object', properties: { a: {}, b: {} } },
    list: { type: 'array', items: { type: 'object', properties: { name: {}, image: {} } } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
}

/** Source: sigs.k8s.io/json, decoding into what is there; seen on kube-apiserver 1.37.2. */
describe('mergedRepeats', () => {
  const cases: [title: string, text: string, value: unknown][] = [
    ['merges structs', '{"spec":{"a":1},"spec":{"b":2}}', { spec: { a: 1, b: 2 } }],
    ['takes the last scalar', '{"spec":{"a":1,"a":2,"a":3}}', { spec: { a: 3 } }],
    [
      'replaces the values of a map',
      '{"labels":{"k":{"x":1},"l":{}},"labels":{"k":{}}}',
      { labels: { k: {}, l: {} } },
    ],
    [
      'merges items by position and keeps no more than the last list has',
      '{"list":[{"name":"c"},{"name":"d"}],"list":[{"image":"x"}]}',
      { list: [{ name: 'c', image: 'x' }] },
    ],
    ['replaces free content', '{"free":{"a":1},"free":{"b":2}}', { free: { b: 2 } }],
    ['takes a null', '{"spec":{"a":1},"spec":null}', { spec: null }],
    ['takes another type', '{"spec":{"a":1},"spec":"x"}', { spec: 'x' }],
  ]
  for (const [title, text, value] of cases)
    it(`${title}: ${text}`, () => expect(mergedRepeats(text, schema)).to.deep.equal(value))
})
