import { expect } from 'chai'
import { isObject } from '../../../apiserver/meta/json/isObject.ts'
import { CelLibrary } from '../../../apiserver/cel/library.ts'
import type { JsonSchemaProps } from '../../../apiserver/meta/jsonSchemaProps.ts'
import { ruleFindings, schemaRules } from '../../../apiserver/customResources/schemaRules.ts'
import { Correlated } from '../../../apiserver/registry/schema/correlated.ts'
import { structuralSchema } from '../../../apiserver/customResources/structuralSchema.ts'
import { vectorLines } from '../../support/vectorLines.ts'

/**
 * Expensive values, unchanged values, and values for which rules fail. The errors are those of the
 * real server's validator of rules, which a small program linked. Long lists are described by their
 * length.
 */
interface Vector {
  title: string
  schema: JsonSchemaProps
  value: unknown
  old?: unknown
  errors: string[]
}

const vectors = vectorLines('./ruleLimits.vectors.jsonl', import.meta.url) as Vector[]

/** List of numbers: `{ upTo: 3 }` is 0, 1, 2, and `{ times: 2, of: 1 }` is 1, 1. */
function whole(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(whole)
  if (!isObject(value)) return value
  const { upTo, times, of } = value
  if (typeof upTo === 'number') return Array.from({ length: upTo }, (_, at) => at)
  if (typeof times === 'number') return Array.from({ length: times }, () => whole(of))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, whole(one)]))
}

describe('rules at values', () => {
  const cel = new CelLibrary()

  for (const { title, schema, value, old, errors } of vectors) {
    it(`${title}: ${errors.length} errors`, () => {
      const rules = schemaRules(schema, structuralSchema(schema), cel)
      if (rules === undefined) throw new Error('a schema without rules')
      const [next, before] = [whole(value), whole(old)]
      const correlated =
        old === undefined ? undefined : new Correlated(next, before, structuralSchema(schema))
      const visited = { value: next, old: before, path: 'spec', correlated }
      const found = ruleFindings(rules, visited).errors
      expect(found.map(({ field, message }) => `${field}: ${message}`)).to.deep.equal(errors)
    }).timeout(20_000)
  }
})
