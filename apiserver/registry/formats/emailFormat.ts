import { isIP } from './ipFormats.ts'

/**
 * Reports whether a string is one mail address, with or without a name. Source: Kubernetes, format `email`; Go,
 * mail.ParseAddress; RFC 5322.
 */
export function isEmail(text: string): boolean {
  const reader = new AddressReader(text)
  return reader.address(true) === 1 && reader.skipComments() && reader.isAtEnd()
}

const atomText = /[!#-'*+\-./0-9=?A-Z^-~\u0080-\u{10ffff}]+/uy
const quoted = /"((?:[\t !#-[\]-~\u0080-\u{10ffff}]|\\[\t -~\u0080-\u{10ffff}])*)"/uy
const literal = /\[([!-Z^-~\u0080-\u{10ffff}]*)\]/uy

/** Reads from left to right. A failed match keeps the position, except for a whole address. */
class AddressReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** The number of addresses: one, or the number in a group; undefined: not an address. */
  address(mayBeGroup: boolean): number | undefined {
    this.#skipSpace()
    if (this.isAtEnd()) return undefined
    if (this.#bare()) {
      this.#skipSpace()
      return this.#peek() !== '(' || this.#nameInComment() ? 1 : undefined
    }
    if (this.#peek() !== '<' && !this.#phrase()) return undefined
    this.#skipSpace()
    if (mayBeGroup && this.#take(':')) return this.#group()
    return this.#take('<') && this.#bare() && this.#take('>') ? 1 : undefined
  }

  /** Skips comments. False: one is not closed. */
  skipComments(): boolean {
    this.#skipSpace()
    while (this.#peek() === '(') {
      if (this.#comment() === undefined) return false
      this.#skipSpace()
    }
    return true
  }

  #group(): number | undefined {
    this.#skipSpace()
    if (this.#take(';')) return 0
    let count = 0
    do {
      this.#skipSpace()
      if (this.address(false) === undefined || !this.skipComments()) return undefined
      count += 1
      if (this.#take(';')) return this.skipComments() ? count : undefined
    } while (this.#take(','))
    return undefined
  }

  /** Reads `local@domain`. */
  #bare(): boolean {
    const start = this.#at
    const isThere = this.#local() && this.#take('@') && this.#domain()
    if (!isThere) this.#at = start
    return isThere
  }

  #local(): boolean {
    this.#skipSpace()
    if (this.#peek() !== '"') return this.#dotAtom()
    return (this.#match(quoted)?.[1] ?? '') !== ''
  }

  #domain(): boolean {
    this.#skipSpace()
    if (this.#peek() !== '[') return this.#dotAtom()
    const inner = this.#match(literal)?.[1]
    return inner !== undefined && isIP(inner)
  }

  #dotAtom(): boolean {
    const atom = this.#match(atomText)?.[0] ?? '.'
    return !atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..')
  }

  /** Reads the words of a name. A comment may follow a word that is not encoded. */
  #phrase(): boolean {
    let isBegun = false
    for (let mayComment = false; ;) {
      if (mayComment && !this.skipComments()) return false
      this.#skipSpace()
      if (this.isAtEnd()) return true
      const word = this.#word()
      if (word === undefined) return isBegun
      isBegun ||= word !== 'nothing'
      mayComment ||= word === 'plain'
    }
  }

  #word(): 'plain' | 'encoded' | 'nothing' | undefined {
    if (this.#peek() === '"') return this.#match(quoted) === null ? undefined : 'plain'
    const atom = this.#match(atomText)
    if (atom === null) return undefined
    const encoded = encodedWord(atom[0])
    if (encoded === undefined) return 'plain'
    if (!charsets.includes(encoded.charset)) return undefined
    return encoded.text === '' ? 'nothing' : 'encoded'
  }

  #nameInComment(): boolean {
    const comment = this.#comment()
    if (comment === undefined) return false
    return !comment.split(/[ \t]/).some(isOfUnknownCharset)
  }

  /** Reads the content of round brackets; undefined: they are not closed. */
  #comment(): string | undefined {
    const inner: string[] = []
    for (let depth = 0; !this.isAtEnd();) {
      const hidden = this.#peek() === '\\' && this.#at + 1 < this.#text.length
      if (hidden) this.#at += 1
      const character = this.#peek()
      this.#at += 1
      if (!hidden && character === '(') depth += 1
      else if (!hidden && character === ')') depth -= 1
      if (depth === 0) return inner.slice(1).join('')
      inner.push(character)
    }
    return undefined
  }

  #peek(): string {
    return this.#text.charAt(this.#at)
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#at += 1
    return true
  }

  #skipSpace(): void {
    while (this.#peek() === ' ' || this.#peek() === '\t') this.#at += 1
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found !== null) this.#at = pattern.lastIndex
    return found
  }
}

const charsets = ['utf-8', 'iso-8859-1', 'us-ascii']

/** The parts of an encoded word; undefined: it is not one, or cannot be decoded. Source: RFC 2047, section 2. */
function encodedWord(word: string): { charset: string; text: string } | undefined {
  const [, charset, encoding = '', text = ''] = /^=\?([^?]+)\?([bq])\?([^?]*)\?=$/i.exec(word) ?? []
  if (charset === undefined) return undefined
  const isDecoded = encoding.toLowerCase() === 'b' ? isBase64Text(text) : isQuotedText(text)
  return isDecoded ? { charset: charset.toLowerCase(), text } : undefined
}

function isOfUnknownCharset(word: string): boolean {
  const charset = encodedWord(word)?.charset
  return charset !== undefined && !charsets.includes(charset)
}

function isBase64Text(text: string): boolean {
  const plain = text.replaceAll(/[\r\n]/g, '')
  return plain.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain)
}

function isQuotedText(text: string): boolean {
  return /^[\t\n\r -~]*$/.test(text) && !/=(?![0-9a-f]{2})/i.test(text)
}
