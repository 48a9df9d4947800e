import { expect } from 'chai'
import { CelLibrary } from '../../apiserver/cel/library.ts'
import { customResources } from '../../apiserver/customResources/customResource.ts'
import type { JsonSchemaProps } from '../../apiserver/meta/jsonSchemaProps.ts'
import { StatusError } from '../../apiserver/meta/status.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { atOnce } from '../../apiserver/meta/waiting/steps.ts'
import { beforeCreate } from '../../apiserver/registry/write/beforeCreate.ts'
import { beforeUpdate } from '../../apiserver/registry/write/beforeUpdate.ts'
import { schemaValidatorOf } from '../../apiserver/registry/schema/schemaValidator.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { vectorLines } from '../support/vectorLines.ts'

interface Case {
  title: string
  schema: JsonSchemaProps
  object: ApiObject
  old?: ApiObject
  /** Causes in the order of the real server's strategy of custom resources. */
  causes: object[]
}

const cases = vectorLines('./validation.vectors.jsonl', import.meta.url) as Case[]

const names = { plural: 'widgets', kind: 'Widget' }

describe('validation of custom resources', () => {
  const cel = new CelLibrary()

  const resourceOf = (openAPIV3Schema: JsonSchemaProps) => {
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }
    const spec = { group: 'example.com', scope: 'Namespaced', names, versions: [version] }
    const scaleOf = () => {
      throw new Error('no version has a scale')
    }
    const unused = () => Promise.reject(new Error('nothing is converted'))
    const calls = {
      client: { post: unused },
      services: { get: () => undefined, list: unused },
      random: { uuid: () => '' },
    }
    const life = { isTerminating: false }
    return customResources({ spec, names, life, cel, scaleOf, calls }).stored
  }

  const causesOf = async ({ schema, object, old }: Case): Promise<object[]> => {
    const resource = resourceOf(schema)
    const checkSchema = await schemaValidatorOf(resource).load()
    const context = systemContext()
    try {
      if (old === undefined) atOnce(beforeCreate(object, resource, checkSchema, context))
      else
        atOnce(
          beforeUpdate(object, old, {
            resource,
            strategy: resource.strategy,
            checkSchema,
            context,
          }),
        )
      return []
    } catch (error) {
      if (error instanceof StatusError) return error.details?.causes ?? []
      throw error
    }
  }

  for (const one of cases) {
    it(`${one.title}: ${one.causes.length === 0 ? 'valid' : 'refused'}`, async () => {
      expect(await causesOf(structuredClone(one))).to.deep.equal(one.causes)
    })
  }
})
