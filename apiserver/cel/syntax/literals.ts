import { durationNanoseconds } from '../../registry/formats/durationFormat.ts'
import { patternOf } from '../../registry/formats/goPattern.ts'
import { readMoment } from '../../meta/moment.ts'
import type { CheckedExpr } from '../types/checking.ts'
import type { Call, Expr } from './expr.ts'
import { formatProblems } from './formatClauses.ts'
import type { Problem } from './sourceErrors.ts'
import { isSameType, typeText } from '../types/types.ts'

/** Required format of literal string arguments, by function. */
const forms: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => durationNanoseconds(text) !== undefined,
  timestamp: (text) => readMoment(text) !== undefined,
  matches: isPattern,
}

function isPattern(text: string): boolean {
  try {
    patternOf(text)
    return true
  } catch {
    return false
  }
}

/** Problems with literals: invalid durations, timestamps and patterns, lists and maps of mixed types (except arguments
 *  of a format string), and format clauses without a matching value. */
export function literalProblems(checked: CheckedExpr): Problem[] {
  const problems: Problem[] = []
  const visit = (expr: Expr, isMixed: boolean) => {
    if (expr.is === 'call') {
      const arg = expr.args.at(expr.target === undefined ? -1 : 0)
      problems.push(...formProblems(expr, arg), ...formatProblems(expr, checked))
    }
    if (!isMixed) for (const parts of alike(expr)) problems.push(...typeProblems(parts, checked))
    const mayMix = isMixed || (expr.is === 'call' && expr.name === 'format')
    for (const one of partsOf(expr)) visit(one, mayMix)
  }
  visit(checked.root, false)
  return problems
}

/** Groups of parts that must have the same type. */
function alike(expr: Expr): readonly (readonly Expr[])[] {
  if (expr.is === 'list') return [expr.items]
  if (expr.is !== 'map') return []
  return [expr.entries.map(([key]) => key), expr.entries.map(([, value]) => value)]
}

function typeProblems([first, ...others]: readonly Expr[], checked: CheckedExpr): Problem[] {
  if (first === undefined) return []
  const wanted = checked.typeOf(first)
  const other = others.find((one) => !isSameType(wanted, checked.typeOf(one)))
  if (other === undefined) return []
  const found = typeText(checked.typeOf(other))
  return [{ at: other.at, text: `expected type '${typeText(wanted)}' but found '${found}'` }]
}

function formProblems({ name }: Call, arg: Expr | undefined): Problem[] {
  if (!Object.hasOwn(forms, name) || arg?.is !== 'literal' || typeof arg.value !== 'string')
    return []
  return forms[name]?.(arg.value) === true ? [] : [{ at: arg.at, text: `invalid ${name} argument` }]
}

function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.is) {
    case 'literal':
    case 'name':
      return []
    case 'select':
      return [expr.of]
    case 'call':
      return expr.target === undefined ? expr.args : [...expr.args, expr.target]
    case 'list':
      return expr.items
    case 'map':
      return expr.entries.flat()
    case 'struct':
      return expr.fields.map(({ value }) => value)
    case 'fold':
      return [expr.range, expr.initial, expr.condition, expr.step, expr.outcome]
  }
}
