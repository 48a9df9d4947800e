import { expect } from 'chai'
import { toldErrors, type FieldError } from '../../../apiserver/meta/fieldErrors.ts'
import type { Schema } from '../../../apiserver/meta/schema.ts'
import { customDialect } from '../../../apiserver/registry/schema/schemaDialect.ts'
import { walkedCheck } from '../../../apiserver/registry/schema/schemaValidator.ts'
import { deadline } from '../../support/deadlines.ts'

const values = Array.from({ length: 10_000 }, (_, at) => `v${at}`)
const listOf = (items: Schema) =>
  walkedCheck({ type: 'object', properties: { list: { type: 'array', items } } }, customDialect)
const lengthOf = (errors: readonly FieldError[]) =>
  errors.reduce((sum, { message }) => sum + message.length, 0)

describe('errors of a schema with long texts', () => {
  const check = listOf({ type: 'string', enum: values })
  const broken = { list: Array.from({ length: 2_000 }, (_, at) => `x${at}`) }

  it('are created up to the length that is reported, and then counted', () => {
    const began = performance.now()
    const errors = check(broken)
    expect(performance.now() - began).to.be.lessThan(deadline(400))
    expect(errors).to.have.length(2_000)
    expect(lengthOf(errors)).to.be.lessThan(1.5 * 1024 * 1024)
    const told = toldErrors(errors)
    const text = `supported values: ${values.map((one) => `"${one}"`).join(', ')}`
    expect(told[0]?.message).to.equal(`Unsupported value: "x0": ${text}`)
    expect(told.at(-1)?.message).to.equal(`Too many errors: ${2_001 - told.length} more`)
  })

  it('keep their reasons without a text', () => {
    const reasons = new Set(check(broken).map(({ reason }) => reason))
    expect([...reasons]).to.deep.equal(['FieldValueNotSupported'])
  })

  it('are all told if they are short', () => {
    const errors = listOf({ type: 'string', enum: ['a', 'b'] })(broken)
    expect(errors.at(-1)).to.deep.equal({
      reason: 'FieldValueNotSupported',
      field: 'list[1999]',
      message: 'Unsupported value: "x1999": supported values: "a", "b"',
    })
  })
})
