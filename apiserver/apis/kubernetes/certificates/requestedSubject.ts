import { elements, type Element } from './der.ts'
import { pemBlocks } from './pemBlocks.ts'

/** Names in a signing request. */
export interface RequestedSubject {
  /** Empty: none. */
  commonName: string
  organizations: readonly string[]
}

const commonName = '550403'
const organization = '55040a'

/**
 * Subject of a base64-encoded PEM block with a PKCS #10 request; a malformed request has no names. Source: RFC 2986,
 * section 4; RFC 5280, section 4.1.2.4.
 */
export function requestedSubject(base64: string): RequestedSubject {
  const [block] = pemBlocks(Buffer.from(base64, 'base64').toString('latin1'))
  const [outer] = inner(block?.der)
  const [info] = inner(outer?.content)
  const [, subject] = inner(info?.content)
  const names = inner(subject?.content)
    .flatMap(({ content }) => inner(content))
    .map(({ content }) => inner(content))
  const named = (identifier: string): string[] =>
    names
      .filter(([type]) => type?.content.toString('hex') === identifier)
      .flatMap(([, value]) => textOf(value) ?? [])
  return { commonName: named(commonName).at(-1) ?? '', organizations: named(organization) }
}

/** Nested elements. */
function inner(der: Buffer | undefined): Element[] {
  return der === undefined ? [] : (elements(der) ?? [])
}

/** Tags of strings of bytes: UTF8String, NumericString, PrintableString, T61String, IA5String. */
const byteStrings = [0x0c, 0x12, 0x13, 0x14, 0x16]
/** Tag of strings in UTF-16, big-endian. */
const bmpString = 0x1e

/** Text of a string; undefined: not a string to signers, which ignore it. Source: Go, encoding/asn1. */
function textOf(value: Element | undefined): string | undefined {
  if (value === undefined) return undefined
  const { tag, content } = value
  if (byteStrings.includes(tag)) return content.toString('utf8')
  if (tag !== bmpString || content.length % 2 !== 0) return undefined
  // It may end with a zero.
  return Buffer.from(content).swap16().toString('utf16le').replace(/\0$/, '')
}
