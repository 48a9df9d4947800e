import { expect } from 'chai'
import { CelLibrary } from '../../apiserver/cel/library.ts'
import { ruleFindings, schemaRules } from '../../apiserver/customResources/schemaRules.ts'
import { structuralSchema } from '../../apiserver/customResources/structuralSchema.ts'
import type { FieldError } from '../../apiserver/meta/fieldErrors.ts'
import type { JsonSchemaProps } from '../../apiserver/meta/jsonSchemaProps.ts'
import { Correlated } from '../../apiserver/registry/schema/correlated.ts'
import { deadline } from '../support/deadlines.ts'

const rules = Array.from({ length: 30 }, (_, at) => ({
  rule: `self == 'never${at}'`,
  messageExpression: `self + '${at}'`,
}))
const items: JsonSchemaProps = { type: 'string', 'x-kubernetes-validations': rules }
const last: JsonSchemaProps = {
  type: 'string',
  'x-kubernetes-validations': [{ rule: "self == 'a'" }],
}
const props: JsonSchemaProps = {
  type: 'object',
  properties: { list: { type: 'array', items }, last },
}
const lengthOf = (errors: readonly FieldError[]) =>
  errors.reduce((sum, { message }) => sum + message.length, 0)

describe('rules with long messages', () => {
  const schema = structuralSchema(props)
  const compiled = schemaRules(props, schema, new CelLibrary())
  if (compiled === undefined) throw new Error('a schema without rules')
  const list = Array.from({ length: 1_000 }, (_, at) => `${at}${'m'.repeat(2_000)}`)

  it('end once no further errors are reported', () => {
    const began = performance.now()
    const { errors } = ruleFindings(compiled, { value: { list }, old: undefined, path: '' })
    expect(performance.now() - began).to.be.lessThan(deadline(400))
    expect(lengthOf(errors)).to.be.within(1024 * 1024, 1.1 * 1024 * 1024)
  })

  it('refuse an update after any number of warnings about unchanged values', () => {
    const [value, old] = [
      { list, last: 'b' },
      { list, last: 'a' },
    ]
    const correlated = new Correlated(value, old, schema)
    const { errors, warnings } = ruleFindings(compiled, { value, old, path: '', correlated })
    expect(lengthOf(warnings)).to.be.within(1024 * 1024, 1.1 * 1024 * 1024)
    expect(errors.map(({ field }) => field)).to.deep.equal(['last'])
  })
})
