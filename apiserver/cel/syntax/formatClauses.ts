import type { CheckedExpr } from '../types/checking.ts'
import { typeText, type CelType } from '../types/types.ts'
import type { Call, Expr } from './expr.ts'
import type { Problem } from './sourceErrors.ts'

interface Clause {
  kinds: readonly string[]
  /** Error message for a value of another type. */
  words: string
}

const clauses: Readonly<Record<string, Clause>> = {
  s: {
    kinds: [
      ...['string', 'bool', 'bytes', 'int', 'uint', 'double', 'map', 'list', 'type', 'duration'],
      ...['timestamp', 'null'],
    ],
    words:
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  },
  d: { kinds: ['int', 'uint'], words: 'decimal clause can only be used on integers' },
  f: { kinds: ['double', 'string'], words: 'fixed-point clause can only be used on doubles' },
  e: { kinds: ['double', 'string'], words: 'scientific clause can only be used on doubles' },
  b: {
    kinds: ['int', 'uint', 'bool'],
    words: 'only integers and bools can be formatted as binary',
  },
  x: {
    kinds: ['int', 'uint', 'string', 'bytes'],
    words: 'only integers, byte buffers, and strings can be formatted as hex',
  },
  o: { kinds: ['int', 'uint'], words: 'octal clause can only be used on integers' },
}

const clausePattern = /%(%|(?:\.\d*)?(.?))/gsu

/** Problems with the clauses of a literal format string.
 *  Source: the language's extended library of strings, version 2. */
export function formatProblems({ name, target, args, at }: Call, checked: CheckedExpr): Problem[] {
  const [list] = args
  const format = target?.is === 'literal' ? target.value : undefined
  if (name !== 'format' || typeof format !== 'string' || list?.is !== 'list') return []
  let index = 0
  for (const verb of verbsOf(format)) {
    const problem = clauseProblem(verb, list.items[index], checked)
    if (problem === undefined) index++
    else if (problem === 'missing') return [{ at, text: `index ${index} out of range` }]
    else return [{ at: problem.at ?? at, text: problem.text }]
  }
  const { length } = list.items
  const text = `too many arguments supplied to string.format (expected ${index}, got ${length})`
  return length > index ? [{ at, text }] : []
}

/** Letters of the clauses that take a value. */
function verbsOf(format: string): string[] {
  const clausesOf = [...format.matchAll(clausePattern)].filter(([, all]) => all !== '%')
  return clausesOf.map(([, , verb = '']) => verb)
}

function clauseProblem(
  verb: string,
  value: Expr | undefined,
  checked: CheckedExpr,
): Problem | 'missing' | undefined {
  const clause = clauses[verb.toLowerCase()]
  if (clause === undefined || (verb !== 'X' && verb !== verb.toLowerCase())) {
    const text = `could not parse formatting clause: unrecognized formatting clause "${verb}"`
    return { at: undefined, text }
  }
  if (value === undefined) return 'missing'
  const type = checked.typeOf(value)
  if (isTaken(type, clause)) return undefined
  const given = type.kind === 'null' ? 'null_type' : typeText(type).replace(/\(.*/, '')
  const text = `error during formatting: ${clause.words}, was given ${given}`
  return { at: value.at, text }
}

function isTaken({ kind }: CelType, { kinds }: Clause): boolean {
  return kind === 'dyn' || kind === 'param' || kinds.includes(kind)
}
