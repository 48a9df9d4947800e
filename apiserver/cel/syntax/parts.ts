import { fromLibrary } from './dialect.ts'

export type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown

/** What the library keeps with a part of an expression that it has checked; it has no types for it. */
export interface Part {
  op: string
  args: unknown
  start: number
  input: string
  meta: { alternate?: Part; macro?: Macro; evaluate: Evaluate }
  evaluate: Evaluate
  handle?: (...args: unknown[]) => unknown
}

interface Macro {
  evaluate: Evaluate
}

const conversions = [
  ...['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint'],
]

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && 'op' in value && 'meta' in value
}

/** A name that the library has a constant for. */
export function namespaceOf(receiver: Part | undefined): string | undefined {
  if (receiver?.op !== 'id' || receiver.meta.alternate === undefined) return undefined
  return receiver.args as string // what a name has
}

/** What is read from a variable, whatever it is. */
export function isPath({ op, meta }: Part): boolean {
  if (op === 'id') return meta.alternate === undefined
  return ['.', '.?', '[]', '[?]', '?:'].includes(op)
}

export function callOf({ op, args }: Part): [string, Part | undefined, Part[]] {
  const [name, second, third] = args as [string, unknown, unknown]
  const of = fromLibrary(name)
  // Calls have their arguments last, methods after what they are called on.
  return op === 'call' ? [of, undefined, second as Part[]] : [of, second as Part, third as Part[]]
}

/** What an evaluation of the part does. */
export function evaluationOf(part: Part): Evaluate {
  if (Object.hasOwn(part, 'evaluate')) return part.evaluate
  const { alternate, macro, evaluate } = part.meta
  if (alternate !== undefined) {
    return (evaluator, _node, context) => alternate.evaluate(evaluator, alternate, context)
  }
  if (macro === undefined) return evaluate
  return (evaluator, _node, context) => macro.evaluate(evaluator, macro, context)
}

/** What does not have to be made anew at each evaluation. */
export function isConstant(part: Part): boolean {
  const { op, args } = part
  if (op === 'value') return true
  if (op === 'list' || op === 'map') return [args].flat(2).filter(isPart).every(isConstant)
  if (op === '-_') return isPart(args) && args.op === 'value' && part.start + 1 === args.start
  if (op !== 'call') return false
  const [name, , given] = callOf(part)
  const [first] = given
  return (
    conversions.includes(name) && given.length === 1 && first !== undefined && isConstant(first)
  )
}

/** Lists of which it is known beforehand what is in them. */
export function isSetOfConstants(list: Part | undefined): boolean {
  if (list?.op !== 'list' || !isConstant(list)) return false
  const items = list.args as Part[]
  return items.every(({ op, args }) => op === 'value' && !(args instanceof Uint8Array))
}

export function isNothing(list: Part | undefined): boolean {
  return (list?.args as Part[]).length === 0
}
