const plain: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"', '`': '`', '?': '?' },
}

const escapes =
  /\\(?:([abfnrtv\\'"`?])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([^]|$))/g

/** Value of a string literal. @throws Error for an invalid escape. */
export function stringOf(literal: string): string {
  const { body, isRaw } = bodyOf(literal)
  if (isRaw) return body
  let made = ''
  let done = 0
  for (const match of body.matchAll(escapes)) {
    const [all, letter, x, u, long, octal] = match
    made += body.slice(done, match.index)
    made += letter === undefined ? characterOf(codeOf(x ?? u ?? long, octal)) : plain[letter]
    done = match.index + all.length
  }
  return made + body.slice(done)
}

function characterOf(code: number | undefined): string {
  if (code === undefined || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
    throw new Error('unable to unescape string')
  return String.fromCodePoint(code)
}

/** Value of a bytes literal, in which a numeric escape is one byte. */
export function bytesOf(literal: string): Uint8Array {
  const { body, isRaw } = bodyOf(literal.slice(1))
  if (isRaw) return Buffer.from(body)
  const parts: Buffer[] = []
  let done = 0
  for (const match of body.matchAll(escapes)) {
    const [all, letter, x, u, long, octal] = match
    parts.push(Buffer.from(body.slice(done, match.index)))
    const code = codeOf(x, octal)
    if (u !== undefined || long !== undefined || (letter === undefined && code === undefined))
      throw new Error('unable to unescape string')
    parts.push(letter === undefined ? Buffer.from([code ?? 0]) : Buffer.from(plain[letter] ?? ''))
    done = match.index + all.length
  }
  return Buffer.concat([...parts, Buffer.from(body.slice(done))])
}

function codeOf(hex: string | undefined, octal: string | undefined): number | undefined {
  if (hex !== undefined) return Number.parseInt(hex, 16)
  return octal === undefined ? undefined : Number.parseInt(octal, 8)
}

function bodyOf(literal: string): { body: string; isRaw: boolean } {
  const isRaw = /^[rR]/.test(literal)
  const text = isRaw ? literal.slice(1) : literal
  const length = /^(?:"""|''')/.test(text) ? 3 : 1
  return { body: text.slice(length, -length).replaceAll(/\r\n?/g, '\n'), isRaw }
}
