import { expect } from 'chai'
import type { Schema } from '../../../apiserver/meta/schema.ts'
import { objectSchema } from '../../../apiserver/registry/schema/canonicalForm.ts'
import { BuiltInKinds } from '../../support/builtInKinds.ts'
import { managementKinds } from '../../support/kinds/managementKinds.ts'

/** Canonical form of each format with several notations of one value. */
const forms: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'date-time': ['time', 'microTime'],
  byte: ['bytes'],
}

describe('Schemas of all kinds', () => {
  it('have a canonical form for every time and every value in base64', async () => {
    const builtIn = await BuiltInKinds.open()
    const seen = new Set<Schema>()
    const wrong = new Set<string>()
    let checked = 0
    const visit = (schema: Schema, path: string): void => {
      if (seen.has(schema)) return
      seen.add(schema)
      const { format = '', canonical, properties = {}, items, additionalProperties } = schema
      const wanted = forms[format]
      if (wanted !== undefined) checked++
      if (wanted?.includes(canonical) === false) wrong.add(path)
      for (const [name, field] of Object.entries(properties)) visit(field, `${path}.${name}`)
      if (items !== undefined) visit(items, `${path}[]`)
      if (additionalProperties !== undefined) visit(additionalProperties, `${path}{}`)
    }
    for (const { kind, schema } of [...builtIn.resources, ...managementKinds()])
      visit(objectSchema(schema), kind)
    await builtIn.close()
    expect(checked).to.be.above(50)
    expect([...wrong]).to.deep.equal([])
  })
})
