import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { pemBlocks } from './pemBlocks.ts'

/** The problem of the base64 of a PEM block that should be a PKCS #10 request signed by its own key; undefined: none. */
export function signingRequestProblem(base64: string): string | undefined {
  const [block] = pemBlocks(Buffer.from(base64, 'base64').toString('latin1'))
  if (block?.type !== 'CERTIFICATE REQUEST') {
    return 'PEM block type must be CERTIFICATE REQUEST'
  }
  const request = parseRequest(block.der)
  if (request === undefined) return 'asn1: structure error: malformed certificate request'
  return isSigned(request) ? undefined : 'x509: signature verification failed'
}

interface Request {
  signedPart: Buffer
  key: KeyObject
  /** The object identifier of the signature, in hex. */
  algorithm: string
  signature: Buffer
}

interface Element {
  tag: number
  /** The element with its tag and length. */
  whole: Buffer
  content: Buffer
}

const sequence = 0x30
const bitString = 0x03

/** Source: RFC 2986, section 4. */
function parseRequest(der: Buffer): Request | undefined {
  const [outer, ...trailing] = elements(der) ?? []
  if (outer?.tag !== sequence || trailing.length > 0) return undefined
  const [info, algorithm, signature] = elements(outer.content) ?? []
  if (info?.tag !== sequence || signature?.tag !== bitString) return undefined
  const [key, identifier] = [keyIn(info), identifierIn(algorithm)]
  if (key === undefined || identifier === undefined) return undefined
  // The first byte of a bit string counts its unused bits.
  const bits = signature.content.subarray(1)
  return { signedPart: info.whole, key, algorithm: identifier, signature: bits }
}

function identifierIn(algorithm: Element | undefined): string | undefined {
  const [identifier] = (algorithm && elements(algorithm.content)) ?? []
  return identifier?.content.toString('hex')
}

function keyIn({ content }: Element): KeyObject | undefined {
  const [, , publicKey] = elements(content) ?? []
  return publicKey && keyOf(publicKey.whole)
}

function keyOf(der: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

/** The elements of a DER sequence; undefined: they are malformed. */
function elements(der: Buffer): Element[] | undefined {
  const found: Element[] = []
  let rest = der
  while (rest.length > 0) {
    const header = headerOf(rest)
    if (header === undefined || header.end > rest.length) return undefined
    const { start, end } = header
    const [whole, content] = [rest.subarray(0, end), rest.subarray(start, end)]
    found.push({ tag: rest[0] ?? 0, whole, content })
    rest = rest.subarray(end)
  }
  return found
}

function headerOf(der: Buffer): { start: number; end: number } | undefined {
  const first = der[1]
  if (first === undefined) return undefined
  if (first < 0x80) return { start: 2, end: 2 + first }
  const count = first - 0x80
  if (count === 0 || count > 4 || der.length < 2 + count) return undefined
  const start = 2 + count
  return { start, end: start + der.readUIntBE(2, count) }
}

/** Hashes by the object identifier of the signature, in hex; null: the algorithm has its own. */
const hashes: Readonly<Record<string, string | null>> = {
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
  '2b6570': null,
}

function isSigned({ signedPart, key, algorithm, signature }: Request): boolean {
  if (!Object.hasOwn(hashes, algorithm)) return false
  try {
    return verify(hashes[algorithm], signedPart, key, signature)
  } catch {
    return false
  }
}
