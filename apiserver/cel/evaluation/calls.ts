import { messageOf } from '../../meta/messageOf.ts'
import type { CostMeter } from '../cost/meter.ts'
import { conversionNames } from '../functions/conversions.ts'
import { formsOf, type RunnableForm } from '../functions/table.ts'
import { patternOf } from '../../registry/formats/goPattern.ts'
import { celKey } from '../values/celKey.ts'
import { isOfKind, typeNameOf } from '../values/kinds.ts'
import { itemsOf } from '../values/lists.ts'
import { Failure, noSuchOverload, Optional } from '../values/scalars.ts'
import { given, guarded } from './failures.ts'
import type { Frame } from './frame.ts'
import { constantStep, type Step } from './step.ts'

/** Plans calls of functions. */
export class CallPlanner {
  readonly #meter: CostMeter

  constructor(meter: CostMeter) {
    this.#meter = meter
  }

  knows(name: string): boolean {
    return formsOf(name) !== undefined
  }

  /** Step of a call. @throws Error if the conversion of a constant fails. */
  step(name: string, args: readonly Step[], { isMethod }: { isMethod: boolean }): Step {
    if (name === 'or' || name === 'orValue') return otherwise(args, name === 'orValue')
    const set = name === '@in' ? this.#membership(args) : undefined
    if (set !== undefined) return set
    const forms = (formsOf(name) ?? []).filter(
      (form) => form.isMethod === isMethod && form.args.length === args.length,
    )
    const converted = isMethod ? undefined : convertedConstant(name, forms, args)
    if (converted !== undefined) return converted
    if (name === 'find' || name === 'findAll') checkPattern(args[1]?.constant?.value)
    return this.#called(name, forms, args)
  }

  #called(name: string, forms: readonly RunnableForm[], args: readonly Step[]): Step {
    const meter = this.#meter
    return {
      run: (frame) => {
        const values = this.#values(args, frame)
        const form = formFor(name, forms, values)
        const result = form.run(...values)
        meter.add(form.cost(values, result))
        return result
      },
    }
  }

  /**
   * Values of the arguments. With one or two arguments, all of them are evaluated and the call is
   * charged even if one fails; the first failure is reported.
   */
  #values(args: readonly Step[], frame: Frame): unknown[] {
    if (args.length > 2) return args.map((one) => one.run(frame))
    const values = args.map((one) => guarded(() => one.run(frame)))
    if (values.some((value) => value instanceof Failure)) this.#meter.add(1)
    return values.map(given)
  }

  /** Step of a membership test among constant scalars, which is free. */
  #membership([item, list]: readonly Step[]): Step | undefined {
    const items = list?.constant && itemsOf(list.constant.value)
    if (item === undefined || items === undefined) return undefined
    if (items.length === 0) return constantStep(false)
    if (!items.every(isHashable)) return undefined
    const keys = new Set(items.map(celKey))
    return { run: (frame) => keys.has(celKey(item.run(frame))) }
  }
}

/** Constant result of converting a constant. */
function convertedConstant(
  name: string,
  forms: readonly RunnableForm[],
  [arg, ...others]: readonly Step[],
): Step | undefined {
  const { constant } = arg ?? {}
  if (!conversionNames.has(name) || constant === undefined || others.length > 0) return undefined
  const form = formFor(name, forms, [constant.value])
  return constantStep(instantiated(() => form.run(constant.value)))
}

function isHashable(value: unknown): boolean {
  return ['string', 'bigint', 'number', 'boolean'].includes(typeof value)
}

/** First overload that matches the types of the values. */
function formFor(
  name: string,
  forms: readonly RunnableForm[],
  values: readonly unknown[],
): RunnableForm {
  const found = forms.find(({ args }) =>
    args.every((type, at) => isOfKind(values[at], type) && isOfItems(values[at], type)),
  )
  if (found === undefined) throw unsuited(name, values)
  return found
}

/**
 * Error for unsuitable arguments. Only errors of library functions show their types. Source: seen
 * on kube-apiserver 1.37.2.
 */
function unsuited(name: string, values: readonly unknown[]): Error {
  if (name === 'size') return new Error('no such overload: size')
  if (/^[_@!-]/.test(name) || plainNames.has(name)) return noSuchOverload()
  return new Error(`no such overload: ${name}(${values.map(typeNameOf).join(', ')})`)
}

const plainNames = new Set(['contains', 'startsWith', 'endsWith', 'matches'])

/** Reports whether the items of a list match the item type of an overload. */
function isOfItems(value: unknown, { kind, of: [item] }: RunnableForm['result']): boolean {
  if (kind !== 'list' || item === undefined || item.kind === 'dyn' || item.kind === 'param')
    return true
  return (itemsOf(value) ?? []).every((one) => isOfKind(one, item))
}

/** Compiles a literal pattern in advance, together with the program. */
function checkPattern(pattern: unknown): void {
  if (typeof pattern === 'string') instantiated(() => patternOf(pattern))
}

function instantiated(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    const why = messageOf(error)
    throw new Error(`program instantiation failed: ${why}`, { cause: error })
  }
}

/** Step of `or` and `orValue`. The other value is evaluated only if the optional is empty. */
function otherwise([optional, other]: readonly Step[], isValue: boolean): Step {
  return {
    run: (frame: Frame) => {
      const value = optional?.run(frame)
      if (!(value instanceof Optional)) throw noSuchOverload()
      if (!value.hasValue) return other?.run(frame)
      return isValue ? value.value : value
    },
  }
}
