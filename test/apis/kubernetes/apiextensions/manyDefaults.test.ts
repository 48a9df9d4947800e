import { expect } from 'chai'
import {
  defaultErrors,
  defaultLimits,
} from '../../../../apiserver/apis/kubernetes/apiextensions/defaultRules.ts'
import { CelLibrary } from '../../../../apiserver/cel/library.ts'
import type { JsonSchemaProps } from '../../../../apiserver/meta/jsonSchemaProps.ts'
import { StatusError } from '../../../../apiserver/meta/status.ts'
import { deadline } from '../../../support/deadlines.ts'

const cel = new CelLibrary()

const errorsOf = (schema: JsonSchemaProps, limits = defaultLimits()) =>
  defaultErrors(schema, { cel, limits }, '')

function objectOf(count: number, property: (at: number) => JsonSchemaProps): JsonSchemaProps {
  const properties = Array.from({ length: count }, (_, at) => [`p${at}`, property(at)] as const)
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function inTime(ms: number, work: () => void): void {
  const began = performance.now()
  work()
  expect(performance.now() - began).to.be.below(deadline(ms))
}

describe('many defaults of a definition', function () {
  this.timeout(60_000)

  it('share the checks in branches that one object may take', () => {
    const anyOf = Array.from({ length: 500 }, (_, at) => ({ maximum: at - 1_000 }))
    const items = { type: 'integer', anyOf: [...anyOf, { maximum: 9 }] }
    const value = Array.from({ length: 500 }, () => 5)
    const lists = (count: number) =>
      objectOf(count, () => ({ type: 'array', items, default: value }))
    expect(errorsOf(lists(2))).to.deep.equal([])
    inTime(2_000, () => {
      expect(() => errorsOf(lists(100)))
        .to.throw(StatusError, 'checks of values')
        .with.property('code', 413)
    })
  })

  it('share the cost of rules, also between versions', () => {
    const list: JsonSchemaProps = {
      type: 'array',
      items: { type: 'integer' },
      default: Array.from({ length: 200 }, (_, at) => at),
      'x-kubernetes-validations': [{ rule: 'self.all(x, self.all(y, x == y || x != y))' }],
    }
    expect(errorsOf(objectOf(2, () => list))).to.deep.equal([])
    inTime(1_500, () => {
      const limits = defaultLimits()
      const [first, second] = [0, 1].map(() =>
        errorsOf(
          objectOf(200, () => list),
          limits,
        ),
      )
      expect(first?.[0]?.message).to.contain('running out of cost budget')
      expect(second).to.have.length(200)
    })
  })

  it('read and compile the schemas of nested ones once', () => {
    let schema: JsonSchemaProps = objectOf(300, (at) => ({
      type: 'integer',
      'x-kubernetes-validations': [{ rule: `self > ${at}` }],
    }))
    for (let at = 0; at < 150; at++) {
      schema = { type: 'object', default: {}, properties: { a: schema } }
    }
    inTime(300, () => expect(errorsOf(schema)).to.deep.equal([]))
  })
})
