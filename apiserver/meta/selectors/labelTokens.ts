import type { LabelOperator } from './labelRequirement.ts'

/** A token of a label selector. Identifiers are keys and values, validated later. */
export interface Token {
  kind: 'identifier' | 'end' | Sign | 'in' | 'notin'
  text: string
}

type Sign = ')' | ',' | '!' | '==' | '=' | '>' | '<' | '!=' | '('

/** Operators by their tokens. */
export const operators = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
} as const satisfies Partial<Record<Token['kind'], LabelOperator>>

/** The end token. */
export const endOfText: Token = { kind: 'end', text: '' }

/** Splits a string into tokens in one pass: a selector may fill the whole of a request's headers. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const end = endOfWord(text, at)
    if (end > at) {
      const word = text.slice(at, end)
      tokens.push({ kind: isOperator(word) ? word : 'identifier', text: word })
      at = end
    } else {
      const sign = signAt(text, at)
      if (sign !== undefined) tokens.push(signs[sign])
      at += sign?.length ?? 1
    }
  }
  return tokens
}

// Tokens of signs, shared by all occurrences.
const signs: Readonly<Record<Sign, Token>> = {
  ')': { kind: ')', text: ')' },
  ',': { kind: ',', text: ',' },
  '!': { kind: '!', text: '!' },
  '==': { kind: '==', text: '==' },
  '=': { kind: '=', text: '=' },
  '>': { kind: '>', text: '>' },
  '<': { kind: '<', text: '<' },
  '!=': { kind: '!=', text: '!=' },
  '(': { kind: '(', text: '(' },
}

/** End of the word that begins at `from`; `from` itself if there is none. */
function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && !endsWord[text.charCodeAt(at)]) at++
  return at
}

const endsWord = Array.from({ length: 128 }, (_, code) =>
  '=!(),>< \t\r\n'.includes(String.fromCharCode(code)),
)

/** The sign at a position; undefined: white space. */
function signAt(text: string, at: number): Sign | undefined {
  const first = text.charAt(at)
  if ((first === '=' || first === '!') && text.charAt(at + 1) === '=') return `${first}=`
  return Object.hasOwn(signs, first) ? (first as Sign) : undefined
}

export function isOperator(word: string): word is keyof typeof operators {
  return Object.hasOwn(operators, word)
}

/**
 * Reports whether a token can be an identifier: `in` and `notin` are ordinary names if no operator
 * is possible.
 */
export function isIdentifier({ kind }: Token): boolean {
  return kind === 'identifier' || kind === 'in' || kind === 'notin'
}
