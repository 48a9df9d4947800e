import type { LabelOperator } from './labelRequirement.ts'

/** A word or sign of a label selector. Identifiers are keys and values; whether they are valid is not asked here. */
export interface Token {
  kind: 'identifier' | 'end' | Sign | 'in' | 'notin'
  text: string
}

type Sign = ')' | ',' | '!' | '==' | '=' | '>' | '<' | '!=' | '('

const tokenPattern = /==|!=|[=!(),><]|[^=!(),>< \t\r\n]+/g

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

export function tokenize(text: string): Token[] {
  return Array.from(text.matchAll(tokenPattern), ([word]) => ({ kind: kindOf(word), text: word }))
}

function kindOf(word: string): Token['kind'] {
  if (word === '!' || word === ',' || word === '(' || word === ')') return word
  return isOperator(word) ? word : 'identifier'
}

export function isOperator(word: string): word is keyof typeof operators {
  return Object.hasOwn(operators, word)
}

/** `in` and `notin` are names like any other where no operator can stand. */
export function isIdentifier({ kind }: Token): boolean {
  return kind === 'identifier' || kind === 'in' || kind === 'notin'
}
