import { goJsonType } from './json/goJsonType.ts'
import { posix } from 'node:path'
import { badRequest } from './statusErrors.ts'

/** The start of the next page of a list. */
export interface ContinuePosition {
  /** The revision of all pages, or -1: the newest, inconsistent with earlier pages. Never 0. */
  revision: number
  /**
   * The first key of the page, relative to the list's prefix, without a leading slash: `default/a\0` if `default/a` was
   * the last returned key.
   */
  start: string
}

const version = 'meta.k8s.io/v1'

/**
 * The opaque token of a list's `metadata.continue`. Running servers write `start` with a leading slash, the storage
 * code in the reference without; both are accepted, and the first is written.
 * Source: reference 0.4 and 4.4.
 */
export function encodeContinue({ revision, start }: ContinuePosition): string {
  const token = { v: version, rv: revision, start: `/${start}` }
  return Buffer.from(JSON.stringify(token)).toString('base64url')
}

/**
 * Decodes the token of a client. `start` cannot leave its prefix.
 * @throws StatusError 400
 */
export function decodeContinue(token: string): ContinuePosition {
  const { v, rv, start } = readToken(decodeBase64Url(token))
  if (v !== version) {
    throw invalidToken(`: server does not recognize this encoded version ${v}`)
  }
  if (rv === 0) {
    throw invalidToken(`: incorrect encoded start resourceVersion (version ${version})`)
  }
  if (start === '') throw invalidToken(`: encoded start key empty (version ${version})`)
  const key = start.startsWith('/') ? start : `/${start}`
  if (!isClean(key)) throw invalidToken(`: ${start}`)
  return { revision: rv, start: key.slice(1) }
}

/** Reports whether a key has no empty, `.` or `..` segments, and no trailing slash. */
function isClean(key: string): boolean {
  return key === '/' || (posix.normalize(key) === key && !key.endsWith('/'))
}

/** Decodes base64url; padding is refused; line breaks are skipped, like the Go library. */
function decodeBase64Url(token: string): string {
  const illegal = token.search(/[^A-Za-z0-9_\r\n-]/)
  if (illegal >= 0) throw invalidToken(`: illegal base64 data at input byte ${illegal}`)
  const text = token.replace(/[\r\n]/g, '')
  if (text.length % 4 === 1) {
    throw invalidToken(`: illegal base64 data at input byte ${token.length - 1}`)
  }
  return Buffer.from(text, 'base64url').toString()
}

/** Reads the members; absent ones are empty, as for the Go decoder. */
function readToken(text: string): { v: string; rv: number; start: string } {
  const token = parseToken(text)
  const { v = '', rv = 0, start = '' } = token
  if (typeof v !== 'string') throw wrongMember('v', v, 'string')
  if (typeof start !== 'string') throw wrongMember('start', start, 'string')
  if (typeof rv !== 'number' || !Number.isInteger(rv)) throw wrongMember('rv', rv, 'int64')
  return { v, rv, start }
}

function parseToken(text: string): Partial<Record<'v' | 'rv' | 'start', unknown>> {
  if (text === '') throw invalidToken(': unexpected end of JSON input')
  let token: unknown
  try {
    token = JSON.parse(text)
  } catch (cause) {
    throw invalidToken(`: ${cause instanceof Error ? cause.message : 'invalid JSON'}`, cause)
  }
  if (token === null) return {}
  if (typeof token === 'object' && !Array.isArray(token)) return token
  throw invalidToken(
    `: json: cannot unmarshal ${goJsonType(token)} into Go value of type storage.continueToken`,
  )
}

function wrongMember(member: string, value: unknown, wanted: string) {
  const type = `Go struct field continueToken.${member} of type ${wanted}`
  const given = typeof value === 'number' ? `number ${value}` : goJsonType(value)
  return invalidToken(`: json: cannot unmarshal ${given} into ${type}`)
}

function invalidToken(why: string, cause?: unknown) {
  return badRequest(`invalid continue token: continue key is not valid${why}`, cause)
}
