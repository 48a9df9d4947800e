import { expect } from 'chai'
import { requiredField, toldErrors, type FieldError } from '../../apiserver/meta/fieldErrors.ts'
import { invalid } from '../../apiserver/meta/statusErrors.ts'

const errorsOf = (count: number, length = 0): FieldError[] =>
  Array.from({ length: count }, (_, at) => requiredField(`f${at}`, 'x'.repeat(length)))

const more = (count: number): FieldError => ({
  reason: 'FieldValueTooMany',
  field: '<nil>',
  message: `Too many errors: ${count} more`,
})

describe('boundedErrors', () => {
  it('keeps a thousand errors', () => {
    expect(toldErrors(errorsOf(1_000))).to.deep.equal(errorsOf(1_000))
  })

  it('counts further errors', () => {
    expect(toldErrors(errorsOf(1_003))).to.deep.equal([...errorsOf(1_000), more(3)])
  })

  it('keeps about a megabyte', () => {
    const errors = errorsOf(10, 300_000)
    expect(toldErrors(errors)).to.deep.equal([...errors.slice(0, 3), more(7)])
  })

  it('keeps the first of any length', () => {
    const errors = errorsOf(1, 3_000_000)
    expect(toldErrors(errors)).to.equal(errors)
  })

  it('bounds both message and causes of a 422 (reference 2.5)', () => {
    const { message, details } = invalid({ group: '', kind: 'Thing' }, 'a', errorsOf(1_002))
    expect(message.endsWith('f999: Required value, <nil>: Too many errors: 2 more]')).to.equal(true)
    expect(details?.causes).to.have.length(1_001)
    expect(details?.causes?.at(-1)).to.deep.equal(more(2))
  })
})
