import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { elements, type Element } from './der.ts'
import { pemBlocks } from './pemBlocks.ts'

/**
 * Problem with a base64-encoded PEM block that should be a PKCS #10 request signed by its own key;
 * undefined: none.
 */
export function signingRequestProblem(base64: string): string | undefined {
  const [block] = pemBlocks(Buffer.from(base64, 'base64').toString('latin1'))
  if (block?.type !== 'CERTIFICATE REQUEST') {
    return 'PEM block type must be CERTIFICATE REQUEST'
  }
  const request = parseRequest(block.der)
  if (request === undefined) return 'asn1: structure error: malformed certificate request'
  return isSigned(request) ? undefined : 'x509: signature verification failed'
}

/** Key of a bare PKCS #10 request and the validity of its signature; undefined: malformed. */
export function requestKey(der: Buffer): { key: KeyObject; isSigned: boolean } | undefined {
  const request = parseRequest(der)
  return request && { key: request.key, isSigned: isSigned(request) }
}

interface Request {
  signedPart: Buffer
  key: KeyObject
  /** The object identifier of the signature, in hex. */
  algorithm: string
  signature: Buffer
}

const sequence = 0x30
const bitString = 0x03

/** Parses a request. Source: RFC 2986, section 4. */
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

/** Hashes by the object identifier of the signature, in hex; null: implied by the algorithm. */
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
