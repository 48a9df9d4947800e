import { jsonText } from '../meta/json/exactJson.ts'
import { isObject } from '../meta/json/isObject.ts'
import { compareYamlKeys } from './yamlKeyOrder.ts'
import { resolvePlain } from './yamlScalars.ts'

/** Formats a JSON value in block layout, without a trailing line feed. */
export function yamlBlock(value: unknown): string {
  return block(value, '', '  ')
}

/**
 * Formats `value` without indenting its first line. `pad` indents its other lines, `textPad` a
 * block string.
 */
function block(value: unknown, pad: string, textPad: string): string {
  if (Array.isArray(value) && value.length > 0) {
    return value.map((item) => `- ${block(item, `${pad}  `, `${pad}  `)}`).join(`\n${pad}`)
  }
  if (!isObject(value)) return scalar(value, textPad)
  const members = Object.keys(value).filter((key) => value[key] !== undefined)
  if (members.length === 0) return '{}'
  members.sort(compareYamlKeys)
  return members.map((key) => `${keyText(key, pad)}:${member(value[key], pad)}`).join(`\n${pad}`)
}

function member(value: unknown, pad: string): string {
  const inner = `${pad}  `
  if (Array.isArray(value) && value.length > 0) return `\n${pad}${block(value, pad, inner)}`
  const text = block(value, inner, inner)
  return isObject(value) && text !== '{}' ? `\n${inner}${text}` : ` ${text}`
}

/** Formats a key; one of more than 1024 characters needs an explicit key indicator. */
function keyText(key: string, pad: string): string {
  const text = inlineString(key)
  return text.length > 1000 ? `? ${text}\n${pad}` : text
}

function scalar(value: unknown, pad: string): string {
  if (Array.isArray(value)) return '[]'
  if (typeof value !== 'string') return jsonText(value ?? null)
  return isBlockText(value) ? blockText(value, pad) : inlineString(value)
}

/**
 * Reports whether a string is written as a block: several lines of printable characters without
 * trailing blanks; the first line has no leading blank.
 */
function isBlockText(text: string): boolean {
  if (!text.includes('\n') || /^\s|[ \t](\n|$)/.test(text)) return false
  return /^[\n\t\x20-\x7e\p{L}\p{N}\p{P}\p{S}]*$/u.test(text)
}

function blockText(text: string, pad: string): string {
  const chomping = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-'
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  const lines = body.split('\n').map((line) => (line === '' ? '' : pad + line))
  return `|${chomping}\n${lines.join('\n')}`
}

function inlineString(text: string): string {
  return isPlain(text) ? text : doubleQuoted(text)
}

/**
 * Reports whether every reader parses the unquoted string as the same string. A string that begins
 * like a number is plain only if it contains a character that no number, timestamp or sexagesimal
 * has.
 */
function isPlain(text: string): boolean {
  if (!/^[\x20-\x7e\p{L}\p{N}\p{P}\p{S}]+$/u.test(text)) return false
  if (/^[-?:,[\]{}#&*!|>'"%@`=<~ ]|^\.\.\.|: | #|[: ]$/.test(text)) return false
  if (/^[-+.0-9][-+.:_0-9a-fA-FinNoOtTxXyYzZ ]*$/.test(text)) return false
  // Some readers parse it as a number without leading digits.
  if (/^[eE][-+]?[0-9_]+$/.test(text)) return false
  return resolvePlain(text) === text
}

/** Quotes a string: JSON's escapes are valid in YAML, which requires more characters to be escaped. */
function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
