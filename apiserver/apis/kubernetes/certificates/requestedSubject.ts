import { elements } from './der.ts'
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
  const [info] = inner(outer)
  const [, subject] = inner(info)
  const names = inner(subject).flatMap(inner).map(inner)
  const named = (identifier: string) =>
    names
      .filter(([type]) => type?.toString('hex') === identifier)
      .map(([, value]) => value?.toString('utf8') ?? '')
  return { commonName: named(commonName).at(-1) ?? '', organizations: named(organization) }
}

/** Contents of nested elements. */
function inner(der: Buffer | undefined): Buffer[] {
  return (der === undefined ? [] : (elements(der) ?? [])).map(({ content }) => content)
}
