import type { IncomingMessage } from 'node:http'
import { addToGroup } from '../meta/collections/groupBy.ts'
import type { UserInfo } from '../meta/types.ts'

/**
 * Names of the headers in which a front proxy passes the user of a request. Names are
 * case-insensitive.
 */
export interface RemoteHeaderNames {
  /** Headers with the user name, of which the first non-empty one is used. */
  username: readonly string[]
  uid: readonly string[]
  /** Headers with groups; all values of all of these headers are used. */
  group: readonly string[]
  /** Prefixes of headers with extra attributes; the rest of the header name is the key. */
  extraPrefix: readonly string[]
}

const standardHeaders: RemoteHeaderNames = {
  username: ['X-Remote-User'],
  uid: ['X-Remote-Uid'],
  group: ['X-Remote-Group'],
  extraPrefix: ['X-Remote-Extra-'],
}
const standardNames = [
  ...standardHeaders.username,
  ...standardHeaders.uid,
  ...standardHeaders.group,
]

/** The headers of one front proxy. */
export class RemoteHeaders {
  readonly #names: RemoteHeaderNames
  readonly #taken: ReadonlySet<string>
  readonly #prefixes: readonly string[]

  constructor(names: RemoteHeaderNames = standardHeaders) {
    const lower = (given: readonly string[]) => given.map((name) => name.trim().toLowerCase())
    const { username, uid, group, extraPrefix } = names
    this.#names = {
      username: lower(username),
      uid: lower(uid),
      group: lower(group),
      extraPrefix: lower(extraPrefix),
    }
    this.#taken = new Set(lower([...username, ...uid, ...group, ...standardNames]))
    this.#prefixes = lower([...extraPrefix, ...standardHeaders.extraPrefix])
  }

  /**
   * The user in the headers of a request; undefined: none. Must only be called for a verified front
   * proxy.
   * Source: reference 7.4.
   */
  userOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): UserInfo | undefined {
    const lines = headerLines(rawHeaders)
    const { username, uid, group, extraPrefix } = this.#names
    const name = firstValue(lines, username)
    if (name === '') return undefined
    return {
      name,
      uid: firstValue(lines, uid),
      groups: group.flatMap((header) => valuesOf(lines, header)).filter((one) => one !== ''),
      extra: extraOf(lines, extraPrefix),
    }
  }

  /**
   * Removes every header that could pass a user, including the standard ones, so that no later code
   * reads them.
   */
  clear({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): void {
    let isFound = false
    for (const name in headers) {
      if (!this.#isTaken(name)) continue
      isFound = true
      delete headers[name]
    }
    if (isFound) this.#clearLines(rawHeaders)
  }

  /** Filters in one pass, since an unauthenticated client may send tens of thousands of headers. */
  #clearLines(rawHeaders: string[]): void {
    let kept = 0
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
      if (this.#isTaken(name.toLowerCase())) continue
      rawHeaders[kept++] = name
      rawHeaders[kept++] = value
    }
    rawHeaders.length = kept
  }

  #isTaken(header: string): boolean {
    return this.#taken.has(header) || this.#prefixes.some((prefix) => header.startsWith(prefix))
  }
}

/** Headers in order, with names in lower case. */
type HeaderLines = readonly (readonly [name: string, value: string])[]

function headerLines(rawHeaders: readonly string[]): HeaderLines {
  const lines: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    lines.push([rawHeaders[at]?.toLowerCase() ?? '', decoded(rawHeaders[at + 1] ?? '')])
  }
  return lines
}

/** Decodes a value: Node reads bytes as Latin-1, but proxies send UTF-8. */
function decoded(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    // Invalid UTF-8 is used literally.
    return value
  }
}

function valuesOf(lines: HeaderLines, header: string): string[] {
  return lines.filter(([name]) => name === header).map(([, value]) => value)
}

function firstValue(lines: HeaderLines, names: readonly string[]): string {
  return names.map((header) => valuesOf(lines, header)[0] ?? '').find((one) => one !== '') ?? ''
}

function extraOf(lines: HeaderLines, prefixes: readonly string[]): Record<string, string[]> {
  const found = new Map<string, string[]>()
  for (const prefix of prefixes) {
    for (const [name, value] of lines) {
      if (!name.startsWith(prefix)) continue
      addToGroup(found, unescaped(name.slice(prefix.length)), value)
    }
  }
  return Object.fromEntries(found)
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    // Malformed percent-encoding is used literally.
    return key
  }
}
