import type { IncomingMessage } from 'node:http'
import type { UserInfo } from '../meta/types.ts'

/** The headers in which a front proxy says whom a request is from. Names are compared without their case. */
export interface RemoteHeaderNames {
  /** The first that has a value counts. */
  username: readonly string[]
  uid: readonly string[]
  /** Every value of all of them is a group. */
  group: readonly string[]
  /** What follows a prefix is a key, its values are the values. */
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

  /** Whom the headers of a request name; undefined: nobody. To be asked of a verified front proxy alone.
   *  Source: reference 7.4. */
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

  /** Takes every header out that could name a user, the standard ones too, so that nothing behind reads one. */
  clear({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): void {
    let isFound = false
    for (const name in headers) {
      if (!this.#isTaken(name)) continue
      isFound = true
      delete headers[name]
    }
    if (isFound) this.#clearLines(rawHeaders)
  }

  /** In one go: there may be tens of thousands, of a caller that nobody knows. */
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

/** In order, their names in lower case. */
type HeaderLines = readonly (readonly [name: string, value: string])[]

function headerLines(rawHeaders: readonly string[]): HeaderLines {
  const lines: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    lines.push([rawHeaders[at]?.toLowerCase() ?? '', text(rawHeaders[at + 1] ?? '')])
  }
  return lines
}

/** The runtime reads bytes as Latin-1; proxies send UTF-8. */
function text(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    // What is no UTF-8 stands for itself.
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
      const key = unescaped(name.slice(prefix.length))
      const values = found.get(key)
      if (values === undefined) found.set(key, [value])
      else values.push(value)
    }
  }
  return Object.fromEntries(found)
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    // The key stands for itself where it is not percent-encoded.
    return key
  }
}
