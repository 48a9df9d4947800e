/** The regular expression of a pattern in the syntax of RE2, which differs from JavaScript's in what may be escaped, in
 *  leading flags and in the names of classes. @throws SyntaxError where neither reads it. Source: RE2, "Syntax". */
export function patternOf(pattern: string): RegExp {
  const flags = /^\(\?([ims]+)\)/.exec(pattern)
  const rest = pattern.slice(flags?.[0].length ?? 0)
  return new RegExp(translated(rest), `u${flags?.[1] ?? ''}`)
}

const escapes: Readonly<Record<string, string>> = {
  A: '^',
  z: '$',
  a: '\\x07',
  C: '[^]',
}

/** Classes by name, as they stand in brackets. */
const classes: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

const tokens =
  /\\[dswDSW]-(?!\])|\\[pP][A-Z]|\\x\{[0-9A-Fa-f]+\}|\\Q.*?(?:\\E|$)|\\[^]|\[:\w+:\]|\(\?P<|\{\d+(?:,\d*)?\}|\[\^?\]?|[^]/gu

function translated(pattern: string): string {
  let isInClass = false
  return pattern.replace(tokens, (token) => {
    if (token.startsWith('\\')) return escape(token, isInClass)
    if (!isInClass) {
      isInClass = /^\[/.test(token)
      return outside(token)
    }
    if (token === ']') isInClass = false
    if (token.startsWith('[:')) return classes[token.slice(2, -2)] ?? token
    if (!token.startsWith('[')) return token
    // A bracket in a class; what stands behind it may end the class.
    isInClass = !token.endsWith(']')
    return `\\${token}`
  })
}

/** A bracket that ends nothing and a brace that begins no repetition stand for themselves, as a bracket does where a
 *  class begins. */
function outside(token: string): string {
  if (token === '(?P<') return '(?<'
  if (token === ']' || token === '{' || token === '}') return `\\${token}`
  return token.startsWith('[') && token.endsWith(']') ? `${token.slice(0, -1)}\\]` : token
}

function escape(token: string, isInClass: boolean): string {
  const [, first = '', ...rest] = token
  const more = rest.join('')
  if (first === 'Q') return more.replace(/\\E$/, '').replaceAll(/[$()*+./?[\\\]^{|}-]/g, '\\$&')
  if (/[pP]/.test(first) && more !== '') return `\\${first}{${more}}`
  if (first === 'x' && more !== '') return `\\u${more}`
  if (more === '-') return isInClass ? `\\${first}\\-` : token
  return isInClass ? escapedInClass(first) : escapedOutside(first)
}

function escapedOutside(escaped: string): string {
  if (/[\w]/.test(escaped)) return escapes[escaped] ?? (escaped === '_' ? '_' : `\\${escaped}`)
  return /[$()*+./?[\\\]^{|}]/.test(escaped) ? `\\${escaped}` : escaped
}

function escapedInClass(escaped: string): string {
  if (/[\w]/.test(escaped)) return escaped === '_' ? '_' : `\\${escaped}`
  return /[$()*+./?[\\\]^{|}-]/.test(escaped) ? `\\${escaped}` : escaped
}
