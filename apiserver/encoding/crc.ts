// Polynomials over GF(2), lowest power in the highest bit, modulo the CRC-32 polynomial.
const modulus = 0xedb88320

/**
 * The CRC-32 of two concatenated strings, computed from both CRCs and the length of the second.
 * Source: RFC 1952 section 8; the arithmetic of zlib's crc32_combine.
 */
export function combinedCrc(first: number, second: number, secondLength: number): number {
  return (product(powerOfX(8 * secondLength), first) ^ second) >>> 0
}

const one = 0x80000000
// x to the power 1, 2, 4, 8 and so on.
const squares: number[] = [one >>> 1]
for (let at = 1; at < 40; at++) {
  const last = squares[at - 1] ?? one
  squares.push(product(last, last))
}

function powerOfX(exponent: number): number {
  let power = one
  let left = exponent
  for (let at = 0; left > 0; at++) {
    if (left % 2 === 1) power = product(squares[at] ?? one, power)
    left = Math.floor(left / 2)
  }
  return power
}

function product(a: number, b: number): number {
  let sum = 0
  let shifted = b
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) sum ^= shifted
    shifted = (shifted & 1) === 1 ? (shifted >>> 1) ^ modulus : shifted >>> 1
  }
  return sum >>> 0
}
