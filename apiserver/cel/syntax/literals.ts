import { durationNanoseconds } from '../../registry/formats/durationFormat.ts'
import { patternOf } from '../../registry/formats/goPattern.ts'
import { readMoment } from '../../meta/moment.ts'
import type { CheckedExpr } from '../types/checking.ts'
import type { Expr } from './expr.ts'
import { isSameType, typeText, type CelType } from '../types/types.ts'

/** What texts have to be that calls are given where they are written. */
const forms: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => durationNanoseconds(text) !== undefined,
  timestamp: (text) => readMoment(text) !== undefined,
  matches: isPattern,
}

/** Their patterns are read with the program. */
const searches: readonly string[] = ['find', 'findAll']

function checkSearch(arg: Expr | undefined): void {
  if (arg?.is !== 'literal' || typeof arg.value !== 'string') return
  try {
    patternOf(arg.value)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`program instantiation failed: ${why}`, { cause: error })
  }
}

function isPattern(text: string): boolean {
  try {
    patternOf(text)
    return true
  } catch {
    return false
  }
}

/** @throws Error for a duration, moment or pattern that cannot be read wherever it is evaluated, and for lists and maps
 *  of several types, but for those that are written into a text. */
export function checkLiterals(checked: CheckedExpr): void {
  const visit = (expr: Expr, isMixed: boolean) => {
    if (expr.is === 'call') checkCall(expr.name, expr.args.at(expr.target === undefined ? -1 : 0))
    if (!isMixed)
      for (const parts of alike(expr)) checkTypes(parts.map((one) => checked.typeOf(one)))
    const mayMix = isMixed || (expr.is === 'call' && expr.name === 'format')
    for (const one of partsOf(expr)) visit(one, mayMix)
  }
  visit(checked.root, false)
}

/** The parts that are of one type. */
function alike(expr: Expr): readonly (readonly Expr[])[] {
  if (expr.is === 'list') return [expr.items]
  if (expr.is !== 'map') return []
  return [expr.entries.map(([key]) => key), expr.entries.map(([, value]) => value)]
}

function checkTypes([first, ...others]: readonly CelType[]): void {
  const other = first && others.find((one) => !isSameType(first, one))
  if (first === undefined || other === undefined) return
  throw new Error(
    `compilation failed: expected type '${typeText(first)}' but found '${typeText(other)}'`,
  )
}

function checkCall(name: string, arg: Expr | undefined): void {
  if (searches.includes(name)) checkSearch(arg)
  if (!Object.hasOwn(forms, name) || arg?.is !== 'literal' || typeof arg.value !== 'string') return
  if (forms[name]?.(arg.value) !== true)
    throw new Error(`compilation failed: invalid ${name} argument`)
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
    case 'fold':
      return [expr.range, expr.initial, expr.condition, expr.step, expr.outcome]
  }
}
