import { createRequire } from 'node:module'
import type * as Re2 from 're2js'
import { messageOf } from '../../meta/messageOf.ts'

/** A compiled pattern without state between calls. Matching takes time linear in the string. */
export interface Pattern {
  test(text: string): boolean
  /** The first match with its groups. */
  exec(text: string): RegExpExecArray | null
  /**
   * All matches from left to right; an empty match never follows directly after another. Source: Go,
   * regexp.FindAllString.
   */
  findAll(text: string): string[]
}

/**
 * Maximum number of cached patterns: enough for rules and definitions in use, but limited for patterns computed from
 * values.
 */
const mostKept = 1_024

const kept = new Map<string, Pattern>()

/**
 * Compiles a pattern in RE2 syntax, which matches any part of a string. Patterns come from users,
 * and JavaScript's own engine could take exponential time. @throws SyntaxError with Go's message
 * for a malformed one. Source: RE2, "Syntax".
 */
export function patternOf(pattern: string): Pattern {
  const found = kept.get(pattern) ?? compiled(pattern)
  // The most recently used pattern is last, so that the first one is evicted.
  kept.delete(pattern)
  kept.set(pattern, found)
  if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '')
  return found
}

function compiled(pattern: string): Pattern {
  const expression = expressionOf(pattern)
  return {
    test: (text: string) => expression.test(text),
    // Sound: the library documents that its result mirrors this type.
    exec: (text: string) => expression.exec(text) as RegExpExecArray | null,
    findAll: (text: string) => {
      let end = -1
      return [...expression.matchAll(text)].flatMap(({ 0: fitting, index = 0 }) => {
        const isRepeated = fitting === '' && index === end
        end = index + fitting.length
        return isRepeated ? [] : [fitting]
      })
    },
  }
}

function expressionOf(pattern: string): Re2.RE2JS {
  const { RE2JS } = library()
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    throw new SyntaxError(messageOf(error), { cause: error })
  }
}

const load = createRequire(import.meta.url)

/** Loaded on demand, since loading takes ten milliseconds. */
function library(): typeof Re2 {
  return load('re2js') as typeof Re2 // both forms of the package export the same
}
