import { usageError } from '../base/cliError.ts'
import { steps, type Step } from './jsonPathSteps.ts'

type Part = { text: string } | { steps: Step[] } | { range: Step[] } | { end: true }

/**
 * Renders a template in kubectl's JSONPath: text with `{…}`, which contains paths, quoted strings, or `range … end`.
 * Source: Kubernetes documentation, "JSONPath Support".
 * @throws CliError usage.
 */
export function jsonPathText(template: string, value: unknown): string {
  const parts = parse(
    /^[.$]/.test(template) && !template.includes('{') ? `{${template}}` : template,
  )
  return render(parts, value, value)
}

function parse(template: string): Part[] {
  const parts: Part[] = []
  let rest = template
  while (rest !== '') {
    const open = rest.indexOf('{')
    if (open < 0) return [...parts, { text: rest }]
    if (open > 0) parts.push({ text: rest.slice(0, open) })
    const close = closingBrace(rest, open)
    if (close < 0) throw usageError(`jsonpath: "{" without "}" in "${template}"`)
    parts.push(...action(rest.slice(open + 1, close).trim()))
    rest = rest.slice(close + 1)
  }
  return parts
}

/** End of an action; braces in quotes do not count. */
function closingBrace(text: string, open: number): number {
  let quote = ''
  for (let index = open + 1; index < text.length; index++) {
    const letter = text[index] ?? ''
    if (quote !== '') {
      if (letter === '\\') index++
      else if (letter === quote) quote = ''
    } else if (letter === '"' || letter === "'") quote = letter
    else if (letter === '}') return index
  }
  return -1
}

function action(text: string): Part[] {
  if (text === 'end') return [{ end: true }]
  if (/^range\s/.test(text)) return [{ range: steps(text.slice(6).trim()) }]
  const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')$/s.exec(text)
  if (quoted !== null) return [{ text: unescaped(quoted[1] ?? quoted[2] ?? '') }]
  return [{ steps: steps(text) }]
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)
}

function render(parts: readonly Part[], root: unknown, current: unknown): string {
  let text = ''
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]
    if (part === undefined || 'end' in part) continue
    if ('text' in part) text += part.text
    else if ('steps' in part) text += found(part.steps, root, current).map(shown).join(' ')
    else {
      const end = endOf(parts, index)
      const inner = parts.slice(index + 1, end)
      for (const item of found(part.range, root, current)) text += render(inner, root, item)
      index = end
    }
  }
  return text
}

function endOf(parts: readonly Part[], start: number): number {
  let depth = 0
  for (let index = start; index < parts.length; index++) {
    const part = parts[index] ?? { text: '' }
    if ('range' in part) depth++
    if ('end' in part && --depth === 0) return index
  }
  throw usageError('jsonpath: "range" without "end"')
}

function found(path: readonly Step[], root: unknown, current: unknown): unknown[] {
  return path.reduce((values, step) => values.flatMap((value) => step(value, root)), [current])
}

/** Strings unchanged; anything else as JSON. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
