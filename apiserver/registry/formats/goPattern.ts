import { createRequire } from 'node:module'
import type * as Re2 from 're2js'

/** A compiled pattern. It answers anew each time, in time linear in the text. */
export interface Pattern {
  test(text: string): boolean
  /** The first place that fits, with its groups. */
  exec(text: string): RegExpExecArray | null
  /** What fits, from left to right; nothing empty stands right behind what fitted. Source: Go, regexp.FindAllString. */
  findAll(text: string): string[]
}

/** As many as rules and definitions in use ask for, while patterns made by rules from values do not pile up. */
const mostKept = 1_024

const kept = new Map<string, Pattern>()

/** The pattern in the syntax of RE2, which fits a text when a part of the text does. Patterns come from users: JavaScript's
 *  own expressions could take for ever. @throws SyntaxError in Go's words where it cannot be read. Source: RE2, "Syntax". */
export function patternOf(pattern: string): Pattern {
  const found = kept.get(pattern) ?? compiled(pattern)
  // The one used last stands last, so that the first is the one to go.
  kept.delete(pattern)
  kept.set(pattern, found)
  if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '')
  return found
}

function compiled(pattern: string): Pattern {
  const expression = expressionOf(pattern)
  return {
    test: (text: string) => expression.test(text),
    // The library documents that its answer mirrors this type.
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
    throw new SyntaxError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

const load = createRequire(import.meta.url)

/** Loading takes ten milliseconds, which a start without patterns does not pay. */
function library(): typeof Re2 {
  return load('re2js') as typeof Re2 // the package's two forms export the same
}
