import { expect } from 'chai'
import {
  definitionErrors,
  definitionUpdateErrors,
} from '../../../../apiserver/apis/kubernetes/apiextensions/definitionRules.ts'
import { CelLibrary } from '../../../../apiserver/cel/library.ts'
import type { CustomResourceDefinition } from '../../../../apiserver/customResources/definition.ts'
import type { JsonSchemaProps } from '../../../../apiserver/meta/jsonSchemaProps.ts'
import { vectorLines } from '../../../support/vectorLines.ts'

/** Schemas with rules at their root, below lists, maps and both, with and without limits, and updates of them. The errors
 *  are those of the real server's validation of definitions, which a small program linked. */
interface Vector {
  schema: JsonSchemaProps
  /** Previous schema of the definition. */
  old?: JsonSchemaProps
  errors: string[]
}

const vectors = vectorLines('./ruleCosts.vectors.jsonl', import.meta.url) as Vector[]

function definition(openAPIV3Schema: JsonSchemaProps): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      conversion: { strategy: 'None' },
    },
    status: { storedVersions: ['v1'] },
  }
}

describe('cost limits of definitions', () => {
  const cel = new CelLibrary()

  vectors.forEach(({ schema, old, errors }, at) => {
    const rules = JSON.stringify(schema).match(/(?<="(?:rule|messageExpression)":").*?[^\\](?=")/g)
    const title = (rules ?? []).slice(0, 2).join(', ')
    it(`${at}: ${errors.length === 0 ? 'accepts' : 'refuses'} ${title}`, () => {
      const found =
        old === undefined
          ? definitionErrors(definition(schema), cel)
          : definitionUpdateErrors(definition(schema), definition(old), cel)
      expect(found.map(({ field, message }) => `${field}: ${message}`).sort()).to.deep.equal(errors)
    })
  })

  it('a definition of many fields is read about as fast with a rule as without', () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `field${at}`)
    const fields = Object.fromEntries(names.map((name) => [name, { type: 'string', maxLength: 5 }]))
    const schema = (rules: object) =>
      definition({
        type: 'object',
        properties: { spec: { type: 'object', properties: fields, required: names, ...rules } },
      })
    const timed = (of: CustomResourceDefinition) => {
      const start = performance.now()
      expect(definitionErrors(of, cel)).to.deep.equal([])
      return performance.now() - start
    }
    const plain = timed(schema({}))
    const rule = { rule: "self.field1 == 'a' && has(self.field19999)" }
    expect(timed(schema({ 'x-kubernetes-validations': [rule] }))).to.be.lessThan(plain * 4 + 2000)
  })
})
