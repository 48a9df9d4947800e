import { goQuote } from '../goQuote.ts'
import { checkSelectorLength } from './selectorLength.ts'
import { badRequest } from '../statusErrors.ts'

/** A selector of objects by a few of their fields. */
export interface FieldSelector {
  /** Reports whether all requirements hold. `get` returns a field's value; an absent field equals an empty one. */
  matches(get: (path: string) => string | undefined): boolean
  /** The value that the field must have, if the selector requires one: `metadata.name=x` reads a single object. */
  requiresExact(path: string): string | undefined
  /** Every selected field, once. */
  readonly paths: readonly string[]
  readonly empty: boolean
  readonly requirements: readonly FieldRequirement[]
  /** The canonical form, with `\`, `,` and `=` in values escaped. Parses to the same selector. */
  toString(): string
}

export interface FieldRequirement {
  readonly path: string
  readonly operator: '=' | '!='
  readonly value: string
}

/**
 * Parses `metadata.name=a,status.phase!=b`. A backslash escapes `\`, `,` and `=` in a value. Empty: everything.
 * @throws StatusError 400 in the words of the Kubernetes library. Source: reference 4.3.
 */
export function parseFieldSelector(text: string): FieldSelector {
  checkSelectorLength(text)
  const terms = splitTerms(text).filter((term) => term !== '')
  const requirements = terms.sort().map((term) => parseTerm(text, term))
  return fieldSelector(requirements.filter(({ path, value }) => path !== '' || value !== ''))
}

export function fieldSelector(requirements: readonly FieldRequirement[]): FieldSelector {
  return {
    matches: (get) =>
      requirements.every(
        ({ path, operator, value }) => ((get(path) ?? '') === value) === (operator === '='),
      ),
    requiresExact: (wanted) =>
      requirements.find(({ path, operator }) => path === wanted && operator === '=')?.value,
    paths: [...new Set(requirements.map(({ path }) => path))],
    empty: requirements.length === 0,
    requirements,
    toString: () => requirements.map(termText).join(','),
  }
}

/** Checks the selected fields. @throws StatusError 400 for a field that is not in `known`. Source: reference 4.3. */
export function checkFieldPaths(
  selector: FieldSelector,
  known: readonly string[],
  refusal: (path: string) => string = (path) => refusalOf(path, known),
): void {
  const unknown = selector.paths.find((path) => !known.includes(path))
  if (unknown !== undefined) throw badRequest(refusal(unknown))
}

function refusalOf(path: string, known: readonly string[]): string {
  return `${goQuote(path)} is not a known field selector: only ${known.map(goQuote).join(', ')}`
}

function splitTerms(text: string): string[] {
  const terms: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === ',') {
      terms.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...terms, text.slice(start)]
}

function parseTerm(selector: string, term: string): FieldRequirement {
  const found = /!=|==|=/.exec(term)
  if (found === null) {
    throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`)
  }
  return {
    path: term.slice(0, found.index),
    operator: found[0] === '!=' ? '!=' : '=',
    value: unescapeValue(term.slice(found.index + found[0].length)),
  }
}

function unescapeValue(text: string): string {
  return text.replace(/\\([^])?|[,=]/gu, (match: string, escaped: string | undefined) => {
    if (escaped !== undefined && '\\,='.includes(escaped)) return escaped
    if (match.startsWith('\\')) {
      throw badRequest(`invalid field selector: invalid escape sequence: ${match}`)
    }
    // The library shows the character's code.
    const rune = match.codePointAt(0)
    throw badRequest(`invalid field selector: unescaped character in value: ${rune}`)
  })
}

function termText({ path, operator, value }: FieldRequirement): string {
  return `${path}${operator}${value.replace(/[\\,=]/g, '\\$&')}`
}
