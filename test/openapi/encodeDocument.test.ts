import { expect } from 'chai'
import protobuf from 'protobufjs/light.js'
import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import { openapiV2Document } from '../../openapi/documentV2.ts'
import { encodeDocument } from '../../openapi/protobuf/encodeDocument.ts'
import { openapiProto } from '../../openapi/protobuf/openapiProto.ts'
import { fixtureResources, note } from '../support/fixtureResources.ts'
import { jsonOf } from '../support/gnosticDocument.ts'

describe('encodeDocument', () => {
  it('says all that the JSON says', async () => {
    const set = new ResourceSet([...fixtureResources, note])
    const document = openapiV2Document(set, { title: 'Fixture', version: 'v1.34.0' })
    const type = protobuf.Root.fromJSON(openapiProto).lookupType('openapi.v2.Document')
    const decoded = type.toObject(type.decode(await encodeDocument(document)), { longs: Number })
    // An empty list of scopes is an empty message there.
    const expected = { ...document, security: [{ BearerToken: {} }] }
    expect(jsonOf(decoded)).to.deep.equal(JSON.parse(JSON.stringify(expected)))
  })
})
