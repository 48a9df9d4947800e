import { expect } from 'chai'
import { CelLibrary } from '../../../apiserver/cel/library.ts'
import type { JsonSchemaProps } from '../../../apiserver/meta/jsonSchemaProps.ts'
import { structuralSchema } from '../../../apiserver/customResources/structuralSchema.ts'
import { vectorLines } from '../../support/vectorLines.ts'

/**
 * Expressions on the values of a schema, written for each function, macro and operator, and for
 * schemas with and without limits. A small program linked with the real server's libraries compiled
 * each with the types of the schema, printed its maximum cost or the reason for its refusal, and
 * evaluated it for the object.
 */
interface Vectors {
  schema: JsonSchemaProps
  /** The values are whole objects. */
  isRoot?: boolean
  object?: unknown
  rules: Vector[]
}

interface Vector {
  rule: string
  /** Reason; empty: worded differently. */
  refused?: string
  /** Expected cost; a string if a number cannot hold it exactly. */
  cost?: number | string
  /**
   * Expected result; missing if a part of the evaluation fails, or if its end depends on the order
   * of a map.
   */
  holds?: boolean
  spent?: number
}

const vectors = vectorLines('./costs.vectors.jsonl', import.meta.url) as Vectors[]

describe('costs of rules', () => {
  const cel = new CelLibrary()

  vectors.forEach(({ schema, isRoot, object, rules }, at) => {
    const check = (rule: string) =>
      cel.checkerOf(isRoot === true ? schema : {}).check({ rule }, schema)

    it(`estimated costs of expressions of schema ${at}`, () => {
      const known = rules.filter(({ cost }) => cost !== undefined)
      const found = known.map(({ rule }) => [rule, check(rule)?.rule])
      expect(found).to.deep.equal(known.map(({ rule, cost = 0 }) => [rule, BigInt(cost)]))
    })

    it(`refused expressions of schema ${at}, with their reasons`, () => {
      for (const { rule, refused } of rules.filter((one) => one.refused !== undefined)) {
        const attempt = () => {
          check(rule)
          cel.compile({ rule })
        }
        expect(attempt, rule).to.throw(refused === undefined ? '' : refused)
      }
    })

    it(`results and actual costs of expressions of schema ${at}`, () => {
      const evaluated = rules.filter(({ spent }) => spent !== undefined)
      const found = evaluated.map(({ rule }) => {
        const compiled = cel.compile({ rule })
        const holds = compiled.holds(cel.valueOf(object, structuralSchema(schema)), undefined)
        return { rule, holds, spent: compiled.spent }
      })
      const want = evaluated.map(({ rule, holds, spent }) => ({ rule, holds, spent }))
      expect(found).to.deep.equal(want)
    })
  })
})
