import { expect } from 'chai'
import protobuf from 'protobufjs/light.js'
import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import { atOnce } from '../../apiserver/meta/waiting/steps.ts'
import { DocumentInput } from '../../openapi/documents/documentInput.ts'
import { openapiV2Document } from '../../openapi/documents/documentV2.ts'
import { openapiV3Document } from '../../openapi/documents/documentV3.ts'
import { encodeDocument, encodeDocumentV3 } from '../../openapi/protobuf/encodeDocument.ts'
import { openapiV2Proto } from '../../openapi/protobuf/openapiV2Proto.ts'
import { openapiV3Proto } from '../../openapi/protobuf/openapiV3Proto.ts'
import { fixtureResources, note } from '../support/kinds/fixtureResources.ts'
import { jsonOf } from '../support/openapi/gnosticDocument.ts'
import { jsonOfV3 } from '../support/openapi/gnosticV3Document.ts'
import { bareDefinitions } from '../support/kinds/bareDefinitions.ts'

const input = new DocumentInput(
  new ResourceSet([...fixtureResources, note]),
  { title: 'Fixture', version: 'v1.34.0' },
  bareDefinitions,
)

describe('encodeDocument', () => {
  it('equals the JSON (reference 6.4)', async () => {
    const document = atOnce(openapiV2Document(input))
    const type = protobuf.Root.fromJSON(openapiV2Proto).lookupType('openapi.v2.Document')
    const decoded = type.toObject(type.decode(await encodeDocument(document)), { longs: Number })
    // An empty list of scopes is an empty message.
    const expected = { ...document, security: [{ BearerToken: {} }] }
    expect(jsonOf(decoded)).to.deep.equal(JSON.parse(JSON.stringify(expected)))
  })
})

describe('encodeDocumentV3', () => {
  for (const key of input.routes.keys()) {
    it(`${key}: equals the JSON (reference 6.5)`, async () => {
      const document = atOnce(openapiV3Document(input, key))
      const root = protobuf.Root.fromJSON(openapiV3Proto)
      root.resolveAll()
      const type = root.lookupType('openapi.v3.Document')
      const decoded = type.toObject(type.decode(await encodeDocumentV3(document)), {
        longs: Number,
      })
      expect(jsonOfV3(type, decoded)).to.deep.equal(JSON.parse(JSON.stringify(document)))
    })
  }
})
