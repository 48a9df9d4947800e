import { expect } from 'chai'
import fc from 'fast-check'
import { crc32, gunzipSync } from 'node:zlib'
import { combinedCrc } from '../../apiserver/encoding/crc.ts'
import { gzipSegments } from '../../apiserver/encoding/gzipSegments.ts'

const text = fc.string({ maxLength: 2_000 }).map((value) => Buffer.from(value))
const some = fc.string({ minLength: 1, maxLength: 2_000 }).map((value) => Buffer.from(value))

describe('gzipSegments', () => {
  it('is one gzip member of head, segments joined by commas, and tail (reference 1.11)', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.array(some), text, async (head, segments, tail) => {
        const whole = `${head.toString()}${segments.join(',')}${tail.toString()}`
        // The compressed form of a segment is reused from the second time on.
        for (let times = 0; times < 2; times++) {
          const body = Buffer.concat(await gzipSegments({ head, segments, tail }))
          expect(gunzipSync(body).toString()).to.equal(whole)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('compresses repetition', async () => {
    const segments = Array.from({ length: 10 }, () => Buffer.alloc(100_000, 'abc '))
    const parts = await gzipSegments({ head: Buffer.from('['), segments, tail: Buffer.from(']') })
    expect(Buffer.concat(parts).length).to.be.lessThan(20_000)
  })
})

describe('combinedCrc', () => {
  it('is the checksum of both parts joined', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const joined = crc32(Buffer.concat([a, b]))
        expect(combinedCrc(crc32(a), crc32(b), b.length)).to.equal(joined)
      }),
    )
  })

  it('supports more than four gigabytes', () => {
    const [zeros, chunk] = [Buffer.alloc(2 ** 20), 2 ** 20]
    let [crc, left] = [crc32(Buffer.from('a')), 2 ** 12]
    const start = crc
    const block = crc32(zeros)
    let all = 0
    for (let length = 0; left > 0; left--) {
      all = length === 0 ? block : combinedCrc(all, block, chunk)
      length += chunk
    }
    for (let at = 0; at < 2 ** 12; at++) crc = combinedCrc(crc, block, chunk)
    expect(combinedCrc(start, all, 2 ** 32)).to.equal(crc)
  })
})
