import { goQuote } from '../meta/goQuote.ts'

/** Next expectation of the scanner. */
type State = 'value' | 'firstItem' | 'firstKey' | 'key' | 'colon' | 'afterValue'
/** End of a scan, with the reason. */
type Ended = { why: string }

const expected: Readonly<Record<Exclude<State, 'afterValue'>, string>> = {
  value: 'looking for beginning of value',
  firstItem: 'looking for beginning of value',
  firstKey: 'looking for beginning of object key string',
  key: 'looking for beginning of object key string',
  colon: 'after object key',
}
const spaces = ' \t\r\n'
const literals: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' }
const unexpectedEnd: Ended = { why: 'unexpected end of JSON input' }

/**
 * Reason why Go cannot parse a body as JSON, in the wording of its scanner; undefined: valid. It examines bytes, not
 * characters.
 * Source: Go, encoding/json, scanner; seen on kube-apiserver 1.37.2.
 */
export function goJsonError(bytes: Buffer): string | undefined {
  return new Scan(bytes.toString('latin1')).run()
}

class Scan {
  readonly #text: string
  /** Open brackets. */
  readonly #open: string[] = []
  #at = 0
  #state: State = 'value'

  constructor(text: string) {
    this.#text = text
  }

  run(): string | undefined {
    for (;;) {
      while (spaces.includes(this.#text[this.#at] ?? 'x')) this.#at++
      const character = this.#text[this.#at]
      if (character === undefined) return this.#isWhole() ? undefined : unexpectedEnd.why
      const ended = this.#step(character)
      if (ended !== undefined) return ended.why
    }
  }

  #isWhole(): boolean {
    return this.#state === 'afterValue' && this.#open.length === 0
  }

  #step(character: string): Ended | undefined {
    switch (this.#state) {
      case 'afterValue':
        return this.#afterValue(character)
      case 'colon':
        return character === ':' ? this.#take('value') : this.#invalid(expected.colon)
      case 'firstKey':
      case 'key':
        if (character === '"') return this.#string('colon')
        if (character === '}' && this.#state === 'firstKey') return this.#close()
        return this.#invalid(expected[this.#state])
      case 'firstItem':
        return character === ']' ? this.#close() : this.#value(character)
      case 'value':
        return this.#value(character)
    }
  }

  #take(next: State): undefined {
    this.#at++
    this.#state = next
  }

  #close(): undefined {
    this.#open.pop()
    this.#take('afterValue')
  }

  #value(character: string): Ended | undefined {
    if (character === '{' || character === '[') {
      this.#open.push(character)
      return this.#take(character === '{' ? 'firstKey' : 'firstItem')
    }
    if (character === '"') return this.#string('afterValue')
    const literal = literals[character]
    if (literal !== undefined) return this.#literal(literal)
    return /[-\d]/.test(character) ? this.#number() : this.#invalid(expected.value)
  }

  #afterValue(character: string): Ended | undefined {
    const inside = this.#open.at(-1)
    if (inside === undefined) return this.#invalid('after top-level value')
    const isObject = inside === '{'
    if (character === ',') return this.#take(isObject ? 'key' : 'value')
    if (character === (isObject ? '}' : ']')) return this.#close()
    return this.#invalid(isObject ? 'after object key:value pair' : 'after array element')
  }

  #literal(literal: string): Ended | undefined {
    for (const wanted of literal) {
      if (this.#text[this.#at] !== wanted)
        return this.#invalid(`in literal ${literal} (expecting '${wanted}')`)
      this.#at++
    }
    this.#state = 'afterValue'
    return undefined
  }

  #number(): Ended | undefined {
    if (this.#text[this.#at] === '-') this.#at++
    if (!this.#digits(/\d/)) return this.#invalid('in numeric literal')
    if (this.#text[this.#at] === '.') {
      this.#at++
      if (!this.#digits()) return this.#invalid('after decimal point in numeric literal')
    }
    if (/[eE]/.test(this.#text[this.#at] ?? '')) {
      this.#at++
      if (/[-+]/.test(this.#text[this.#at] ?? '')) this.#at++
      if (!this.#digits()) return this.#invalid('in exponent of numeric literal')
    }
    this.#state = 'afterValue'
    return undefined
  }

  /** Reads digits; none may follow a leading zero. */
  #digits(first?: RegExp): boolean {
    const start = this.#at
    if (first !== undefined && this.#text[start] === '0') {
      this.#at++
      return true
    }
    while (/\d/.test(this.#text[this.#at] ?? '')) this.#at++
    return this.#at > start
  }

  #string(next: State): Ended | undefined {
    this.#at++
    for (;;) {
      const character = this.#text[this.#at]
      if (character === undefined) return unexpectedEnd
      if (character < ' ') return this.#invalid('in string literal')
      if (character === '"') return this.#take(next)
      this.#at++
      const ended = character === '\\' ? this.#escape() : undefined
      if (ended !== undefined) return ended
    }
  }

  #escape(): Ended | undefined {
    const character = this.#text[this.#at]
    if (character !== undefined && !'bfnrt\\/"u'.includes(character))
      return this.#invalid('in string escape code')
    this.#at++
    if (character !== 'u') return undefined
    for (let count = 0; count < 4; count++, this.#at++)
      if (!/[\da-fA-F]/.test(this.#text[this.#at] ?? ' '))
        return this.#invalid('in \\u hexadecimal character escape')
    return undefined
  }

  /** Go treats the end of the input as a space. */
  #invalid(where: string): Ended {
    const character = this.#text[this.#at] ?? ' '
    return { why: `invalid character ${quoted(character)} ${where}` }
  }
}

function quoted(character: string): string {
  if (character === "'") return `'\\''`
  return character === '"' ? `'"'` : `'${goQuote(character).slice(1, -1)}'`
}
