import { expect } from 'chai'
import {
  canonicalElement,
  compareElements,
  elementString,
  keyElement,
  pathString,
  valueElement,
} from '../../../../apiserver/patch/apply/fields/pathElement.ts'

describe('path elements (reference 3.11)', () => {
  const texts: [string, string, string][] = [
    ['f:replicas', 'f:replicas', '.replicas'],
    ['f:a.b/c', 'f:a.b/c', '.a.b/c'],
    ['k:{ "port": 80, "name": "a" }', 'k:{"name":"a","port":80}', '[name="a",port=80]'],
    ['k:{"port":1000000.0}', 'k:{"port":1000000}', '[port=1e+06]'],
    ['k:{"on":true,"no":null}', 'k:{"no":null,"on":true}', '[no=null,on=true]'],
    ['v:"a"', 'v:"a"', '[="a"]'],
    ['v:"a<b\\b"', 'v:"a\\u003cb\\u0008"', '[="a<b\\b"]'],
    ['v: 1.50', 'v:1.5', '[=1.5]'],
    ['v:0.00001', 'v:0.00001', '[=1e-05]'],
    ['i:07', 'i:7', '[7]'],
  ]
  for (const [sent, canonical, shown] of texts) {
    it(`${sent} is stored as ${canonical} and shown as ${shown}`, () => {
      expect(canonicalElement(sent)).to.equal(canonical)
      expect(elementString(canonical)).to.equal(shown)
    })
  }

  it('drops unknown kinds of elements', () => {
    expect(canonicalElement('x:1')).to.equal(undefined)
  })

  for (const bad of ['f', 'fa', 'v:', 'v:1 2', 'k:1', 'k:[]', 'k:null', 'i:', 'i:a']) {
    it(`refuses ${bad}`, () => expect(() => canonicalElement(bad)).to.throw(Error))
  }

  it('are written with sorted keys, escaped as in Go', () => {
    const element = keyElement([
      ['b', '<&>'],
      ['a', 1],
    ])
    expect(element).to.equal('k:{"a":1,"b":"\\u003c\\u0026\\u003e"}')
    expect(valueElement('\u2028')).to.equal('v:"\\u2028"')
  })

  it('are ordered: fields, keys, values, indices, each by content', () => {
    const ordered = [
      'f:A',
      'f:a',
      'f:a b',
      'f:\uffee',
      'f:😀',
      'k:{"a":2}',
      'k:{"a":10}',
      'k:{"a":"10"}',
      'k:{"a":"10","b":1}',
      'k:{"a":"a"}',
      'k:{"a":"a b"}',
      'k:{"b":"a"}',
      'v:2',
      'v:10',
      'v:"10"',
      'v:"9"',
      'v:false',
      'v:true',
      'i:2',
      'i:10',
    ]
    expect([...ordered].reverse().sort(compareElements)).to.deep.equal(ordered)
  })

  it('form the path of a conflict', () => {
    const path = ['f:spec', 'f:ports', 'k:{"name":"a","port":80}', 'f:args', 'v:"x"']
    expect(pathString(path)).to.equal('.spec.ports[name="a",port=80].args[="x"]')
  })
})
