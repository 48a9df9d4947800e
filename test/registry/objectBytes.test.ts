import { expect } from 'chai'
import { decodeObject, encodeObject, objectBytes } from '../../apiserver/registry/objectBytes.ts'
import { thing } from '../support/thing.ts'

describe('objectBytes', () => {
  // Strings that look like the field, in every place before and after it.
  const marker = '"resourceVersion":"'
  const object = thing(`a${marker}`, {
    uid: 'u',
    namespace: marker,
    resourceVersion: '5',
    labels: { [marker]: marker },
    spec: { color: marker },
  })
  const at = (resourceVersion: string) => ({
    ...object,
    metadata: { ...object.metadata, resourceVersion },
  })

  it('inserts the revision in its place only (reference 4.7)', () => {
    const { before, after } = encodeObject(object)
    expect(JSON.parse(`${before}12${after}`)).to.deep.equal(at('12'))
    expect(decodeObject(objectBytes(object, 34))).to.deep.equal(at('34'))
  })
  it('omits an unknown revision (reference 1.14)', () => {
    const { resourceVersion: _, ...metadata } = object.metadata
    expect(decodeObject(objectBytes(object))).to.deep.equal({ ...object, metadata })
  })
  it('is compact, ends in a line feed, and has metadata in wire order (reference 1.10)', () => {
    const disordered = thing('a', { labels: { a: 'b' } })
    disordered.metadata = { finalizers: ['x/y'], generation: 1, ...disordered.metadata, uid: 'u' }
    expect(objectBytes(disordered, 1).toString()).to.equal(
      '{"kind":"Thing","apiVersion":"example.dev/v1","metadata":{"name":"a","namespace":"default","uid":"u","resourceVersion":"1","generation":1,"labels":{"a":"b"},"finalizers":["x/y"]},"spec":{}}\n',
    )
  })
})
