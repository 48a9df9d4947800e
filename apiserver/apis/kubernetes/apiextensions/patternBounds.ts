import { tooLongField, type FieldError } from '../../../meta/fieldErrors.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import { patternOf } from '../../../registry/formats/goPattern.ts'

/** Maximum length of a pattern, and of all distinct patterns of a definition: compiling a thousand takes milliseconds. */
const maxPatternLength = 4 * 1024
const maxPatternsLength = 64 * 1024

/** Total length of patterns compiled in one turn of the event loop. */
const lengthAtOnce = 2 * 1024

/** Patterns in a schema, or in any value that contains schemas. */
function patternsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) patternsIn(item, found)
  if (!isObject(value)) return found
  const { pattern } = value
  if (typeof pattern === 'string') found.add(pattern)
  for (const member of Object.values(value)) patternsIn(member, found)
  return found
}

/** Error for a pattern that is too long. */
export function patternLengthErrors(pattern: string, path: string): FieldError[] {
  return pattern.length > maxPatternLength ? [tooLongField(path, maxPatternLength)] : []
}

/** Error for patterns of a definition that are too long in total. */
export function patternsLengthErrors(spec: unknown): FieldError[] {
  const isLong = lengthOf(patternsIn(spec)) > maxPatternsLength
  return isLong ? [tooLongField('spec.versions', maxPatternsLength)] : []
}

/** Compiles the patterns of a definition in advance, so that validating them is fast. The rules report invalid ones. */
export async function readPatterns(
  spec: unknown,
  turn: () => Promise<void> | undefined,
): Promise<void> {
  const patterns = patternsIn(spec)
  if (lengthOf(patterns) > maxPatternsLength) return
  let read = 0
  for (const pattern of patterns) {
    if (pattern.length > maxPatternLength) continue
    try {
      patternOf(pattern)
    } catch {
      // Reported by the rules.
    }
    read += pattern.length
    if (read < lengthAtOnce) continue
    read = 0
    await turn()
  }
}

function lengthOf(patterns: Iterable<string>): number {
  let length = 0
  for (const pattern of patterns) length += pattern.length
  return length
}
