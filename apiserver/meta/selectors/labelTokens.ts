import type { LabelOperator } from './labelRequirement.ts'

/** A word or sign of a label selector. Identifiers are keys and values; whether they are valid is not asked here. */
export interface Token {
  kind: 'identifier' | 'end' | Sign | 'in' | 'notin'
  text: string
}

type Sign = ')' | ',' | '!' | '==' | '=' | '>' | '<' | '!=' | '('

/** What each operator's word stands for. */
export const operators = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
} as const satisfies Partial<Record<Token['kind'], LabelOperator>>

/** What comes after the last token. */
export const endOfText: Token = { kind: 'end', text: '' }

/** The words and signs of a text, in one pass: a selector may fill the whole of a request's headers. */
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

// One token for all places where a sign stands.
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

/** Where the word that begins at `from` ends; `from`: none begins there. */
function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && !endsWord[text.charCodeAt(at)]) at++
  return at
}

const endsWord = Array.from({ length: 128 }, (_, code) =>
  '=!(),>< \t\r\n'.includes(String.fromCharCode(code)),
)

/** undefined: white space stands there. */
function signAt(text: string, at: number): Sign | undefined {
  const first = text.charAt(at)
  if ((first === '=' || first === '!') && text.charAt(at + 1) === '=') return `${first}=`
  return Object.hasOwn(signs, first) ? (first as Sign) : undefined
}

export function isOperator(word: string): word is keyof typeof operators {
  return Object.hasOwn(operators, word)
}

/** `in` and `notin` are names like any other where no operator can stand. */
export function isIdentifier({ kind }: Token): boolean {
  return kind === 'identifier' || kind === 'in' || kind === 'notin'
}
