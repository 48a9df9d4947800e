import { expect } from 'chai'
import { elements } from '../../../../apiserver/apis/kubernetes/certificates/der.ts'
import { requestedSubject } from '../../../../apiserver/apis/kubernetes/certificates/requestedSubject.ts'

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const header = Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff])
  return Buffer.concat([header, content])
}

/** Name in a subject; `type` is its object identifier in hex. */
function attribute(type: string, value: Buffer): Buffer {
  return der(0x31, der(0x30, der(0x06, Buffer.from(type, 'hex')), value))
}

/** Base64-encoded PEM of a request with these names. */
function request(...names: Buffer[]): string {
  const info = der(0x30, der(0x02, Buffer.from([0])), der(0x30, ...names))
  const base64 = der(0x30, info).toString('base64')
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${base64}\n-----END CERTIFICATE REQUEST-----\n`
  return Buffer.from(pem).toString('base64')
}

const group = 'system:masters'
const wide = (text: string) => Buffer.from(text, 'utf16le').swap16()
const commonName = '550403'
const organization = '55040a'

describe('requestedSubject', () => {
  for (const { type, tag, content, want } of [
    { type: 'UTF8String', tag: 0x0c, content: Buffer.from(group), want: [group] },
    { type: 'NumericString', tag: 0x12, content: Buffer.from('12'), want: ['12'] },
    { type: 'PrintableString', tag: 0x13, content: Buffer.from(group), want: [group] },
    { type: 'T61String', tag: 0x14, content: Buffer.from(group), want: [group] },
    { type: 'IA5String', tag: 0x16, content: Buffer.from(group), want: [group] },
    { type: 'BMPString', tag: 0x1e, content: wide(group), want: [group] },
    { type: 'BMPString with an end', tag: 0x1e, content: wide(`${group}\0`), want: [group] },
    { type: 'BMPString of odd length', tag: 0x1e, content: Buffer.from('abc'), want: [] },
    { type: 'UniversalString', tag: 0x1c, content: Buffer.from(group), want: [] },
    { type: 'GeneralString', tag: 0x1b, content: Buffer.from(group), want: [] },
    { type: 'OctetString', tag: 0x04, content: Buffer.from(group), want: [] },
  ]) {
    it(`reads a ${type} as signers do`, () => {
      const { organizations } = requestedSubject(
        request(attribute(organization, der(tag, content))),
      )
      expect(organizations).to.deep.equal(want)
    })
  }

  it('takes the last common name that signers can read', () => {
    const names = [
      attribute(commonName, der(0x0c, Buffer.from('first'))),
      attribute(commonName, der(0x0c, Buffer.from('last'))),
      attribute(commonName, der(0x1c, Buffer.from('unreadable'))),
    ]
    expect(requestedSubject(request(...names)).commonName).to.equal('last')
  })
})

describe('elements of DER', () => {
  it('are at most 10,000, since each takes longer than its bytes', () => {
    const empty = Buffer.from([0x05, 0])
    const some = Buffer.concat(Array.from({ length: 10_000 }, () => empty))
    expect(elements(some)).to.have.length(10_000)
    expect(elements(Buffer.concat([some, empty]))).to.equal(undefined)
  })
})
