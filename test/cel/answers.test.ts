import { expect } from 'chai'
import { CelLibrary } from '../../apiserver/cel/library.ts'
import { ruleFindings, schemaRules } from '../../apiserver/customResources/schemaRules.ts'
import { structuralSchema } from '../../apiserver/customResources/structuralSchema.ts'
import type { JsonSchemaProps } from '../../apiserver/meta/jsonSchemaProps.ts'
import { vectorLines } from '../support/vectorLines.ts'

/**
 * Rules at one schema, and the errors of the server for the definition or for an object. Source:
 * seen on kube-apiserver 1.37.2.
 */
interface Answer {
  rule: string
  /** Reason why the definition is refused. */
  refused?: string
  /** Reason why the object is refused; empty: the rule holds. */
  error?: string
}

const [first, ...answers] = vectorLines('./answers.vectors.jsonl', import.meta.url) as [
  { schema: JsonSchemaProps; object: unknown },
  ...Answer[],
]

describe('rules as the API server evaluates them', () => {
  const cel = new CelLibrary()
  const { schema, object } = first

  const refusalOf = (rule: string): string => {
    try {
      cel.checkerOf({}).check({ rule }, schema)
      cel.compile({ rule })
      return ''
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  const errorOf = (rule: string): string => {
    const props = { ...schema, 'x-kubernetes-validations': [{ rule }] }
    const rules = schemaRules(props, structuralSchema(props), cel)
    if (rules === undefined) throw new Error('a schema without rules')
    const { errors } = ruleFindings(rules, { value: object, old: undefined, path: 'spec' })
    return errors
      .map(({ message }) => message.replace(/^Invalid value: ("object": )?/, ''))
      .join('\n')
  }

  for (const { rule, refused = '', error } of answers) {
    it(`${JSON.stringify(rule)} ${refused === '' ? 'is evaluated' : 'is refused'}`, () => {
      expect(refusalOf(rule)).to.equal(refused)
      if (error !== undefined) expect(errorOf(rule)).to.equal(error)
    })
  }
})
