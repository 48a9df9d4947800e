import { usageError } from '../base/cliError.ts'

const blocks = ['range', 'if', 'with'] as const

type Node =
  | { text: string }
  | { show: string[] }
  | { block: 'range' | 'if' | 'with'; of: string[]; inner: Node[]; otherwise: Node[] }

/**
 * Renders a subset of Go templates: fields, `range`, `if`, `with`, `else`, `end`, strings, pipes, and the functions
 * index, len, print, printf with %s and %v, not, eq, ne, and, or, base64decode, base64encode.
 * Source: text/template of Go; kubectl's functions.
 * @throws CliError usage for anything else.
 */
export function goTemplateText(template: string, value: unknown): string {
  const pieces = template.split(/(\{\{-?.*?-?\}\})/s)
  return render(nodesOf(trimmed(pieces), { at: 0 }, false), value, value)
}

/** Removes white space beside `{{-` and `-}}`. */
function trimmed(pieces: readonly string[]): string[] {
  return pieces.map((piece, index) => {
    if (index % 2 === 1) return piece
    const start = pieces[index - 1]?.endsWith('-}}') === true ? piece.trimStart() : piece
    return pieces[index + 1]?.startsWith('{{-') === true ? start.trimEnd() : start
  })
}

function nodesOf(pieces: readonly string[], place: { at: number }, isInner: boolean): Node[] {
  const nodes: Node[] = []
  while (place.at < pieces.length) {
    const piece = pieces[place.at++] ?? ''
    if (!piece.startsWith('{{')) {
      if (piece !== '') nodes.push({ text: piece })
      continue
    }
    const words = wordsOf(piece.replace(/^\{\{-?\s*|\s*-?\}\}$/g, ''))
    const [first] = words
    if (first === 'end' || first === 'else') {
      if (!isInner) throw usageError(`go-template: unexpected {{${first}}}`)
      place.at--
      return nodes
    }
    const block = blocks.find((known) => known === first)
    if (block !== undefined) nodes.push(blockOf(block, words.slice(1), pieces, place))
    else if (first !== undefined && !first.startsWith('/*')) nodes.push({ show: words })
  }
  if (isInner) throw usageError('go-template: a block has no {{end}}')
  return nodes
}

function blockOf(
  block: 'range' | 'if' | 'with',
  of: string[],
  pieces: readonly string[],
  place: { at: number },
): Node {
  const inner = nodesOf(pieces, place, true)
  const isElse = /^\{\{-?\s*else/.test(pieces[place.at] ?? '')
  if (/^\{\{-?\s*else\s+if/.test(pieces[place.at] ?? ''))
    throw usageError('go-template: {{else if}} is not supported; nest an {{if}} in {{else}}')
  place.at++
  if (!isElse) return { block, of, inner, otherwise: [] }
  const otherwise = nodesOf(pieces, place, true)
  place.at++
  return { block, of, inner, otherwise }
}

function wordsOf(text: string): string[] {
  return text.match(/"(?:[^"\\]|\\.)*"|`[^`]*`|\/\*.*\*\/|[()|]|[^\s()|]+/gs) ?? []
}

function render(nodes: readonly Node[], root: unknown, current: unknown): string {
  return nodes
    .map((node) => {
      if ('text' in node) return node.text
      if ('show' in node) return printed(valueOf(node.show, root, current))
      const value = valueOf(node.of, root, current)
      if (node.block === 'range') {
        const each = typeof value === 'object' && value !== null ? Object.values(value) : []
        if (each.length === 0) return render(node.otherwise, root, current)
        return each.map((item) => render(node.inner, root, item)).join('')
      }
      if (!isTrue(value)) return render(node.otherwise, root, current)
      return render(node.inner, root, node.block === 'with' ? value : current)
    })
    .join('')
}

/** Value of a pipeline: each part gets the previous value as its last argument. */
function valueOf(words: readonly string[], root: unknown, current: unknown): unknown {
  let value: unknown
  let isFirst = true
  for (const part of splitPipes(words)) {
    const args = argumentsOf(part, root, current)
    value = applied(args, isFirst ? [] : [value])
    isFirst = false
  }
  return value
}

function splitPipes(words: readonly string[]): string[][] {
  const parts: string[][] = [[]]
  let depth = 0
  for (const word of words) {
    depth += word === '(' ? 1 : word === ')' ? -1 : 0
    if (word === '|' && depth === 0) parts.push([])
    else parts.at(-1)?.push(word)
  }
  return parts
}

type Argument = { function: string } | { value: unknown }

function argumentsOf(words: readonly string[], root: unknown, current: unknown): Argument[] {
  const found: Argument[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (word !== '(') {
      found.push(argument(word, root, current))
      continue
    }
    let depth = 1
    const start = index + 1
    while (depth > 0 && ++index < words.length)
      depth += words[index] === '(' ? 1 : words[index] === ')' ? -1 : 0
    found.push({ value: valueOf(words.slice(start, index), root, current) })
  }
  return found
}

function argument(word: string, root: unknown, current: unknown): Argument {
  if (word.startsWith('"')) return { value: JSON.parse(word) as unknown }
  if (word.startsWith('`')) return { value: word.slice(1, -1) }
  if (/^-?\d+(\.\d+)?$/.test(word)) return { value: Number(word) }
  if (word === 'true' || word === 'false') return { value: word === 'true' }
  if (word.startsWith('$.') || word === '$') return { value: fieldOf(root, word.slice(1)) }
  if (word.startsWith('.')) return { value: fieldOf(current, word) }
  return { function: word }
}

function fieldOf(value: unknown, path: string): unknown {
  return path
    .split('.')
    .filter((name) => name !== '')
    .reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function applied([first, ...rest]: readonly Argument[], piped: readonly unknown[]): unknown {
  if (first === undefined) return undefined
  if ('value' in first) return first.value
  const known = functions[first.function]
  if (known === undefined) {
    const names = Object.keys(functions).join(', ')
    throw usageError(`go-template: unknown function "${first.function}"`, `Known are ${names}.`)
  }
  return known(...rest.map((arg) => ('value' in arg ? arg.value : applied([arg], []))), ...piped)
}

const functions: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
  index: (value, ...keys) =>
    keys.reduce((inner, key) => (isRecord(inner) ? inner[String(key)] : undefined), value),
  len: (value) =>
    typeof value === 'string' ? Buffer.byteLength(value) : Object.keys(value ?? {}).length,
  not: (value) => !isTrue(value),
  eq: (value, ...others) => others.includes(value),
  ne: (value, other) => value !== other,
  and: (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  or: (...values) => values.find(isTrue) ?? values.at(-1),
  print: (...values) => values.map(printed).join(''),
  println: (...values) => `${values.map(printed).join(' ')}\n`,
  printf: (format, ...values) => {
    let next = 0
    return String(format).replaceAll(/%([svd%])/g, (_, verb: string) =>
      verb === '%' ? '%' : printed(values[next++]),
    )
  },
  base64decode: (value) => Buffer.from(String(value), 'base64').toString('utf8'),
  base64encode: (value) => Buffer.from(String(value)).toString('base64'),
}

/** Truth in Go templates: not empty, not zero. */
function isTrue(value: unknown): boolean {
  return isRecord(value) ? Object.keys(value).length > 0 : Boolean(value)
}

function printed(value: unknown): string {
  if (value === undefined || value === null) return '<no value>'
  if (Array.isArray(value)) return `[${value.map(printed).join(' ')}]`
  if (!isRecord(value)) return typeof value === 'string' ? value : JSON.stringify(value)
  const fields = Object.keys(value).sort()
  return `map[${fields.map((name) => `${name}:${printed(value[name])}`).join(' ')}]`
}
