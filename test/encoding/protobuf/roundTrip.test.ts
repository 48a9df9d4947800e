import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import fc from 'fast-check'
import { kinds, packageOf } from '../../../apiserver/encoding/protobuf/kindIndex.ts'
import { ProtobufCodec } from '../../../apiserver/encoding/protobuf/protobufCodec.ts'
import { ValueGenerator } from './generateValue.ts'
import { kindOf } from './vectors.ts'

const codec = new ProtobufCodec()
const values = new ValueGenerator()

// The object of a watch event is not JSON.
const allKinds = Object.entries(kinds).flatMap(([groupVersion, ofPackages]) =>
  Object.values(ofPackages)
    .flatMap((list) => list.split(' '))
    .filter((kind) => kind !== 'WatchEvent')
    .map((kind) => ({ apiVersion: groupVersion === '*' ? 'apps/v1' : groupVersion, kind })),
)

describe('KindCodec', () => {
  for (const typeMeta of allKinds) {
    it(`round-trips any ${typeMeta.apiVersion} ${typeMeta.kind}`, async () => {
      const gvk = kindOf(typeMeta)
      const packageName = packageOf(gvk)
      if (packageName === undefined) throw new Error('no package')
      const kindCodec = await codec.load(gvk)
      fc.assert(
        fc.property(fc.gen(), (g) => {
          const object = { ...typeMeta, ...values.message(g, packageName, gvk.kind) }
          const bytes = kindCodec.encodeMessage(object)
          const decoded = kindCodec.decodeMessage(bytes)
          // chai compares slowly.
          if (!isDeepStrictEqual(decoded, object)) expect(decoded).to.deep.equal(object)
          expect(kindCodec.encodeMessage(decoded).equals(bytes)).to.equal(true)
        }),
        { numRuns: 5 },
      )
    })
  }
})
