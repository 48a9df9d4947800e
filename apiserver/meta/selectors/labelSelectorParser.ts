import { aggregateMessage, invalidField, type FieldError } from '../fieldErrors.ts'
import { parseInt64 } from '../json/integers.ts'
import type { LabelOperator, LabelRequirement } from './labelRequirement.ts'
import {
  endOfText,
  isIdentifier,
  isOperator,
  operators,
  tokenize,
  type Token,
} from './labelTokens.ts'
import { labelKeyErrors, labelValueErrors } from '../names/nameValidation.ts'
import { checkSelectorLength } from './selectorLength.ts'
import { badRequest } from '../statusErrors.ts'

/**
 * A recursive descent parser of label selectors with the library's messages.
 * Source: the grammar and messages of Kubernetes' label library.
 */
export class LabelSelectorParser {
  readonly #tokens: Token[]
  #position = 0

  constructor(text: string) {
    checkSelectorLength(text)
    this.#tokens = tokenize(text)
  }

  /**
   * Parses the requirements, in their written order.
   * @throws StatusError 400
   */
  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = []
    if (this.#peek().kind === 'end') return requirements
    this.#expectStart("expected: !, identifier, or 'end of string'")
    for (;;) {
      requirements.push(this.#requirement())
      const next = this.#take()
      if (next.kind === 'end') return requirements
      if (next.kind !== ',') throw badRequest(found(next, "expected: ',' or 'end of string'"))
      this.#expectStart("expected: identifier after ','")
    }
  }

  #expectStart(expected: string): void {
    const token = this.#peek()
    if (token.kind !== '!' && !isIdentifier(token)) throw badRequest(found(token, expected))
  }

  #requirement(): LabelRequirement {
    const absent = this.#peek().kind === '!'
    if (absent) this.#take()
    const key = this.#take()
    if (!isIdentifier(key)) throw unparsable(found(key, 'expected: identifier'))
    checkKey(key.text)
    const after = this.#peek().kind
    if (absent) return { key: key.text, operator: '!', values: [] }
    if (after === 'end' || after === ',') return { key: key.text, operator: 'exists', values: [] }
    const operator = this.#operator()
    const values = operator === 'in' || operator === 'notin' ? this.#valueSet() : [this.#value()]
    checkValues(key.text, operator, values)
    return { key: key.text, operator, values }
  }

  #operator(): LabelOperator {
    const token = this.#take()
    if (isOperator(token.kind)) return operators[token.kind]
    throw unparsable(found(token, 'expected: in, notin, =, ==, !=, gt, lt'))
  }

  #value(): string {
    const { kind } = this.#peek()
    if (kind === 'end' || kind === ',') return ''
    const token = this.#take()
    if (!isIdentifier(token)) throw unparsable(found(token, 'expected: identifier'))
    return token.text
  }

  /** Parses `(a,b)`. A comma without a neighbour means the empty value, and so does `()`. */
  #valueSet(): string[] {
    const open = this.#take()
    if (open.kind !== '(') throw unparsable(`found '${open.text}' expected: '('`)
    const first = this.#peek()
    const starts = first.kind === ',' || first.kind === ')' || isIdentifier(first)
    if (!starts) throw unparsable(found(first, "expected: ',', ')' or identifier"))
    const values = [this.#member()]
    while (this.#peek().kind === ',') {
      this.#take()
      values.push(this.#member())
    }
    this.#close()
    return [...new Set(values)].sort()
  }

  #member(): string {
    return isIdentifier(this.#peek()) ? this.#take().text : ''
  }

  #close(): void {
    const before = this.#tokens[this.#position - 1]
    const token = this.#take()
    if (token.kind === ')') return
    const expected = before?.kind === ',' ? "expected: ',', or identifier" : "expected: ',' or ')'"
    throw unparsable(found(token, expected))
  }

  #peek(): Token {
    return this.#tokens[this.#position] ?? endOfText
  }

  #take(): Token {
    const token = this.#peek()
    this.#position++
    return token
  }
}

function found(token: Token, expected: string): string {
  return `found '${token.text}', ${expected}`
}

function unparsable(why: string) {
  return badRequest(`unable to parse requirement: ${why}`)
}

function checkKey(key: string): void {
  const errors = labelKeyErrors(key)
  if (errors.length > 0) refuse([invalidField('<nil>', key, errors.join('; '))])
}

function checkValues(key: string, operator: LabelOperator, values: readonly string[]): void {
  const ordered = operator === 'gt' || operator === 'lt'
  const notIntegers = ordered ? values.filter((value) => parseInt64(value) === undefined) : []
  const why = "for 'Gt', 'Lt' operators, the value must be an integer"
  const errors = notIntegers.map((value) => invalidField('values[0]', value, why))
  values.forEach((value, index) => {
    const problems = labelValueErrors(value)
    if (problems.length === 0) return
    errors.push(invalidField(`values[${index}][${key}]`, value, problems.join('; ')))
  })
  if (errors.length > 0) refuse(errors)
}

function refuse(errors: readonly FieldError[]): never {
  throw unparsable(aggregateMessage(errors))
}
