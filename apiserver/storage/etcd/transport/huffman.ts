/**
 * Bits of the code of each byte. Codes of one length are consecutive numbers in the order of the bytes, after those of
 * shorter lengths. Source: RFC 7541, appendix B.
 */
const lengths: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28,
  28, 28, 28, 28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5,
  6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6,
  7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23,
  23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22,
  22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22,
  23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27,
  27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25,
  24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
]

const longest = 30
/** Bytes in the order of their codes. */
const inOrder = [...lengths.keys()].sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b)
/** First code of each length, and the place of its byte in `inOrder`. */
const firsts = firstCodes()

/** Decodes a string, byte by byte. @throws Error if it is damaged. */
export function decodeHuffman(bytes: Buffer): string {
  const decoded: number[] = []
  let [code, length] = [0, 0]
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      code = (code << 1) | ((byte >> bit) & 1)
      const first = firsts[++length]
      if (first === undefined) throw new Error('a header has an invalid code')
      if (code - first.code >= first.count) continue
      decoded.push(inOrder[first.at + code - first.code] ?? 0)
      code = length = 0
    }
  }
  // The last byte is filled with ones, up to 7.
  if (length > 7 || code !== 2 ** length - 1) throw new Error('a header ends within a code')
  return Buffer.from(decoded).toString('latin1')
}

function firstCodes(): { code: number; count: number; at: number }[] {
  const found = []
  for (let [length, code, at] = [0, 0, 0]; length <= longest; length++, code *= 2) {
    const count = lengths.filter((bits) => bits === length).length
    found.push({ code, count, at })
    code += count
    at += count
  }
  return found
}
