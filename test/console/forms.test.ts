import { expect } from 'chai'
import fc from 'fast-check'
import { parse, stringify } from 'yaml'
import { parseFieldPath, selectedItem } from '../../console/api/fieldPath.ts'
import { controlOf, problemOf, typedValue } from '../../console/schema/formControl.ts'
import { valueOf, withKey, withValue } from '../../console/schema/yamlChange.ts'

describe('parseFieldPath', () => {
  for (const [field, want] of [
    ['spec.ports[0].name', ['spec', 'ports', '0', 'name']],
    ['data[a.b/c]', ['data', 'a.b/c']],
    ['.metadata.labels["x.y"]', ['metadata', 'labels', 'x.y']],
    [
      'spec.ports[port=80,protocol="TCP"].name',
      ['spec', 'ports', 'port=80,protocol="TCP"', 'name'],
    ],
    ['', []],
  ] as const)
    it(`reads ${JSON.stringify(field)}`, () => {
      expect(parseFieldPath(field)).to.deep.equal(want)
    })

  it('finds the list item that a selector names', () => {
    const items = [
      { port: 80, protocol: 'UDP' },
      { port: 80, protocol: 'TCP' },
    ]
    expect(selectedItem(items, 'port=80,protocol="TCP"')).to.equal(1)
    expect(selectedItem(items, 'port=81')).to.equal(-1)
    expect(selectedItem(items, 'name')).to.equal(-1)
  })
})

describe('withValue', () => {
  const text =
    '# about\nspec:\n  ports:\n    - port: 80 # http\n      mode: 0o755\n  unknown: [a, b]\n'

  it('changes one value and keeps comments, order, unknown fields and spelling', () => {
    expect(withValue(text, ['spec', 'ports', '0', 'port'], 81)).to.equal(text.replace('80', '81'))
  })

  it('makes parents that are absent or null, and removes fields', () => {
    expect(withValue('spec:\n', ['spec', 'a', 'b'], 'x')).to.equal('spec:\n  a:\n    b: x\n')
    expect(withValue('a: 1\nb: 2\n', ['a'], undefined)).to.equal('b: 2\n')
    expect(withValue('', ['a'], 1)).to.equal('a: 1\n')
    expect(withValue('data: {}\n', ['data', 'k'], 'v')).to.equal('data:\n  k: v\n')
  })

  it('finds keys that YAML does not read as strings', () => {
    expect(withValue('data:\n  80: a\n  true: b\n', ['data', '80'], 'c')).to.equal(
      'data:\n  80: c\n  true: b\n',
    )
  })

  it('leaves a text that is no YAML as it is', () => {
    expect(withValue('a: [', ['a'], 1)).to.equal('a: [')
    expect(valueOf('a: [')).to.equal(undefined)
    expect(valueOf('- a')).to.equal(undefined)
  })

  it('renames a key in its place, but not to one that is there', () => {
    expect(withKey('data:\n  a: 1\n  b: 2\n', ['data', 'a'], 'c')).to.equal(
      'data:\n  c: 1\n  b: 2\n',
    )
    expect(withKey('data:\n  a: 1\n  b: 2\n', ['data', 'a'], 'b')).to.equal(
      'data:\n  a: 1\n  b: 2\n',
    )
  })

  it('writes any string so that it is read back, and nothing else changes', () => {
    const strings = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(fc.dictionary(strings, strings, { minKeys: 1 }), strings, (data, value) => {
        const [key = ''] = Object.keys(data)
        const changed = withValue(stringify({ data, other: 1 }), ['data', key], value)
        expect(parse(changed)).to.deep.equal({ data: { ...data, [key]: value }, other: 1 })
      }),
    )
  })
})

describe('Controls of a form', () => {
  it('follow the schema', () => {
    expect(controlOf({ type: 'string', enum: ['a', 'b'] })).to.equal('choice')
    expect(controlOf({ type: 'array', items: { type: 'string' } })).to.equal('list')
    expect(controlOf({ type: 'object', additionalProperties: { type: 'string' } })).to.equal('map')
    expect(controlOf({ type: 'object', properties: { a: {} } })).to.equal('fields')
    expect(controlOf({ 'x-kubernetes-int-or-string': true })).to.equal('numberOrText')
    expect(controlOf({ format: 'int-or-string' })).to.equal('numberOrText')
    expect(controlOf({ oneOf: [{ type: 'string' }, { type: 'number' }] })).to.equal('text')
    expect(controlOf({ type: 'object' })).to.equal('yaml')
    expect(controlOf({ type: 'array' })).to.equal('yaml')
  })

  it('read numbers, words and choices as the schema has them', () => {
    const value = (text: string, control: Parameters<typeof typedValue>[1], schema = {}) =>
      typedValue(text, control, schema).value
    expect(value('80', 'numberOrText')).to.equal(80)
    expect(value('http', 'numberOrText')).to.equal('http')
    expect(value('080', 'numberOrText')).to.equal('080')
    expect(value('9007199254740993', 'numberOrText')).to.equal('9007199254740993')
    expect(value('12', 'number', { type: 'integer' })).to.equal(12)
    expect(typedValue('1x', 'number', { type: 'integer' })).to.deep.equal({
      value: '1x',
      problem: 'Must be an integer.',
    })
    expect(value('2', 'choice', { enum: [1, 2] })).to.equal(2)
    expect(value('', 'text')).to.equal(undefined)
  })

  it('know what is missing or out of range', () => {
    expect(problemOf(undefined, { type: 'string' }, true)).to.equal('Required.')
    expect(problemOf(undefined, { type: 'string' }, false)).to.equal('')
    expect(problemOf(70_000, { type: 'integer', maximum: 65_535 }, false)).to.equal(
      'Must be at most 65535.',
    )
    expect(problemOf('x', { type: 'integer' }, false)).to.equal('Must be an integer.')
  })
})
