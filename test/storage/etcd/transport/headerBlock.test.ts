import { expect } from 'chai'
import { decodeHeaders } from '../../../../apiserver/storage/etcd/transport/headerBlock.ts'
import { decodeHuffman } from '../../../../apiserver/storage/etcd/transport/huffman.ts'

describe('decodeHuffman', () => {
  // RFC 7541, appendix C.4 and C.6.
  const cases: readonly [bytes: string, want: string][] = [
    ['f1e3c2e5f23a6ba0ab90f4ff', 'www.example.com'],
    ['a8eb10649cbf', 'no-cache'],
    ['25a849e95ba97d7f', 'custom-key'],
    ['6402', '302'],
    ['aec3771a4b', 'private'],
    ['d07abe941054d444a8200595040b8166e082a62d1bff', 'Mon, 21 Oct 2013 20:13:21 GMT'],
    [
      '94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007',
      'foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
    ],
    ['', ''],
  ]
  for (const [bytes, want] of cases) {
    it(`decodes ${JSON.stringify(want)}`, () => {
      expect(decodeHuffman(Buffer.from(bytes, 'hex'))).to.equal(want)
    })
  }

  it('refuses a code that is cut off, and the code of the end of a string', () => {
    expect(() => decodeHuffman(Buffer.from('a8eb10649c', 'hex'))).to.throw('ends within a code')
    expect(() => decodeHuffman(Buffer.from('ffffffff', 'hex'))).to.throw('invalid code')
  })
})

describe('decodeHeaders', () => {
  const literal = (text: string) => Buffer.concat([Buffer.of(text.length), Buffer.from(text)])

  it('reads indexed and literal fields, and ignores others', () => {
    const block = Buffer.concat([
      Buffer.of(0x20, 0x88), // the dynamic table has no bytes; `:status: 200`
      ...[Buffer.of(0x0f, 0x10), literal('application/grpc')], // the name at index 31
      ...[Buffer.of(0x40), literal('grpc-status'), literal('14')],
      ...[Buffer.of(0x10), literal('grpc-message'), literal('a%20b%')],
    ])
    expect(decodeHeaders(block)).to.deep.equal({
      httpStatus: '200',
      grpcStatus: '14',
      grpcMessage: 'a%20b%',
    })
    const status = Buffer.concat([Buffer.of(0x08), literal('429')])
    expect(decodeHeaders(status)).to.deep.equal({ httpStatus: '429' })
  })

  for (const { name, block } of [
    { name: 'a name that is cut off', block: [0x00, 0x05, 0x61] },
    { name: 'a missing value', block: [0x08] },
    { name: 'a reference to the dynamic table', block: [0xbe] },
    { name: 'a number without an end', block: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff] },
  ]) {
    it(`refuses ${name}`, () => {
      expect(() => decodeHeaders(Buffer.from(block))).to.throw(/a header/)
    })
  }
})
