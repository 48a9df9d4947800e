import { expect } from 'chai'
import { ProtobufCodec } from '../../../apiserver/encoding/protobuf/protobufCodec.ts'
import { encodeWatchEvent } from '../../../apiserver/encoding/protobuf/watchFrame.ts'
import { kindOf, readVectors } from './vectors.ts'

const codec = new ProtobufCodec()
const vectors = readVectors()

describe('ProtobufCodec compared with the Go library', () => {
  for (const { name, json, protobuf } of vectors.filter(({ event }) => event === undefined)) {
    it(`decodes ${name}: the same JSON, in the same order`, async () => {
      const { apiVersion, kind, value } = await codec.decode(protobuf)
      expect({ apiVersion, kind }).to.deep.equal({ apiVersion: json.apiVersion, kind: json.kind })
      expect(value).to.deep.equal(json)
      expect(JSON.stringify(value)).to.equal(JSON.stringify(json))
    })

    it(`encodes ${name}: the same bytes`, async () => {
      expect((await codec.encode(json, kindOf(json))).toString('hex')).to.equal(
        protobuf.toString('hex'),
      )
    })
  }
})

describe('encodeWatchEvent compared with the Go library (reference 5.3)', () => {
  for (const { name, event = '', json, protobuf } of vectors) {
    if (event === '') continue
    it(`writes the frame of ${name}: the same bytes`, async () => {
      const frame = encodeWatchEvent(event, await codec.encode(json, kindOf(json)))
      expect(frame.toString('hex')).to.equal(protobuf.toString('hex'))
    })
  }
})
