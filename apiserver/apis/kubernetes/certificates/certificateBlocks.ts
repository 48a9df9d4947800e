import { X509Certificate } from 'node:crypto'
import { goQuote } from '../../../meta/goQuote.ts'
import { pemBlocks } from './pemBlocks.ts'

/**
 * Problem with base64-encoded PEM blocks that should be certificates; undefined: none, or empty.
 */
export function certificateProblem(base64: string): string | undefined {
  if (base64 === '') return undefined
  const blocks = pemBlocks(Buffer.from(base64, 'base64').toString('latin1'))
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block'
  for (const { type, hasHeaders, der } of blocks) {
    if (type !== 'CERTIFICATE') {
      return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`
    }
    if (hasHeaders) return 'no PEM block headers are permitted'
    if (der.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates'
    if (!isCertificate(der)) return 'x509: malformed certificate'
  }
  return undefined
}

function isCertificate(der: Buffer): boolean {
  try {
    return new X509Certificate(der).raw.length === der.length
  } catch {
    return false
  }
}
