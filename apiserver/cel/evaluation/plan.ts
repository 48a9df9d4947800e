import { perList } from '../cost/actualCosts.ts'
import type { CostMeter } from '../cost/meter.ts'
import type { Call, Expr, Fold, ListExpr, MapExpr, Select, StructExpr } from '../syntax/expr.ts'
import { typeNames } from '../types/types.ts'
import { CelMap } from '../values/celMap.ts'
import { Optional, TypeValue } from '../values/scalars.ts'
import { StructValue } from '../values/structValue.ts'
import { resolved } from './attributes.ts'
import { CallPlanner } from './calls.ts'
import { foldStep } from './folds.ts'
import { given, guarded } from './failures.ts'
import { Frame } from './frame.ts'
import { constantStep, type Attribute, type Qualifier, type Step } from './step.ts'

const perMap = 30
const perStruct = 40

/**
 * Plans an expression; running the plan reports its cost to `meter`.
 * @throws Error for a part that always fails. Source: the costs of kube-apiserver 1.37.2.
 */
export function planned(root: Expr, meter: CostMeter): (values: [string, unknown][]) => unknown {
  const step = new Planner(meter).step(root, new Set())
  return (values) => step.run(new Frame(values))
}

/** Loop variables in scope. */
type Locals = ReadonlySet<string>

class Planner {
  readonly #meter: CostMeter
  readonly #calls: CallPlanner

  constructor(meter: CostMeter) {
    this.#meter = meter
    this.#calls = new CallPlanner(meter)
  }

  step(expr: Expr, locals: Locals): Step {
    switch (expr.is) {
      case 'literal':
        return constantStep(expr.value)
      case 'name':
        return this.#name(expr.name.replace(/^\./, ''), locals)
      case 'select':
        return this.#select(expr, locals)
      case 'call':
        return this.#call(expr, locals)
      case 'list':
        return this.#list(expr, locals)
      case 'map':
        return this.#map(expr, locals)
      case 'struct':
        return this.#struct(expr, locals)
      case 'fold':
        return this.#fold(expr, locals)
    }
  }

  #name(name: string, locals: Locals): Step {
    if (typeNames.has(name) && !locals.has(name)) return constantStep(new TypeValue(name))
    return this.#read({ base: (frame) => frame.read(name), qualifiers: [] })
  }

  /** Step that reads an attribute. A read costs 1, plus 1 for each further step. */
  #read(attribute: Attribute): Step {
    const meter = this.#meter
    const run = (frame: Frame) => {
      const value = guarded(() => resolved(attribute, frame, meter))
      meter.add(1)
      return given(value)
    }
    return { run, attribute }
  }

  /**
   * Attribute extended by a selection. A selection from a value that is not an attribute starts a
   * new one.
   */
  #attributeOf({ run, attribute }: Step): Attribute {
    return attribute ?? { base: run, qualifiers: [] }
  }

  #qualified(of: Step, qualifier: Qualifier): Step {
    const attribute = this.#attributeOf(of)
    const qualifiers = [...attribute.qualifiers, qualifier]
    const next = { base: attribute.base, qualifiers }
    // A test for a field costs only the step, and reading a conditional is free.
    if (qualifier.isTest === true || of.isCondition === true)
      return {
        run: (frame) => resolved(next, frame, this.#meter),
        ...(qualifier.isTest === true ? {} : { attribute: next, isCondition: true }),
      }
    return this.#read(next)
  }

  #select({ of, field, isTest }: Select, locals: Locals): Step {
    const name = qualifiedName({ is: 'select', of, field, isTest }, locals)
    if (!isTest && name !== undefined && typeNames.has(name))
      return constantStep(new TypeValue(name))
    const key = constantStep(field)
    return this.#qualified(this.step(of, locals), {
      key,
      isOptional: false,
      isTest,
      isFree: false,
    })
  }

  #call(expr: Call, locals: Locals): Step {
    const { name, args } = expr
    const steps = () => args.map((one) => this.step(one, locals))
    switch (name) {
      case '_&&_':
        return logical(steps(), false)
      case '_||_':
        return logical(steps(), true)
      case '_?_:_':
        return this.#condition(steps())
      case '_[_]':
      case '_[?_]':
      case '_?._':
        return this.#indexed(steps(), name !== '_[_]')
      case '@not_strictly_false':
        return notFalse(steps(), this.#meter)
      default:
        return this.#function(expr, locals)
    }
  }

  #indexed([of, index]: readonly Step[], isOptional: boolean): Step {
    if (of === undefined || index === undefined) throw new Error('no such overload')
    const isRead = index.attribute !== undefined && index.isCondition !== true
    return this.#qualified(of, { key: index, isOptional, isFree: isRead })
  }

  /** Step of a conditional, whose result need not be read again. */
  #condition([condition, then, otherwise]: readonly Step[]): Step {
    if (!condition || !then || !otherwise) throw new Error('no such overload')
    const meter = this.#meter
    const branch = (one: Step) => {
      const { attribute } = one
      return attribute === undefined ? one.run : (frame: Frame) => resolved(attribute, frame, meter)
    }
    const [first, second] = [branch(then), branch(otherwise)]
    const base = (frame: Frame) => {
      const value = condition.run(frame)
      if (typeof value !== 'boolean') throw new Error('no such overload')
      return value ? first(frame) : second(frame)
    }
    return { run: base, attribute: { base, qualifiers: [] }, isCondition: true }
  }

  #function(expr: Call, locals: Locals): Step {
    const { name, target, args } = expr
    const prefix = target && qualifiedName(target, locals)
    const full = prefix === undefined ? undefined : `${prefix}.${name}`
    const given = args.map((one) => this.step(one, locals))
    if (full !== undefined && this.#calls.knows(full))
      return this.#calls.step(full, given, { isMethod: false })
    const receiver = target === undefined ? [] : [this.step(target, locals)]
    return this.#calls.step(name, [...receiver, ...given], { isMethod: target !== undefined })
  }

  #list({ items, optional }: ListExpr, locals: Locals): Step {
    const steps = items.map((one) => this.step(one, locals))
    const make = (frame: Frame) =>
      steps.flatMap((one, at) => {
        const value = one.run(frame)
        return optional?.has(at) === true ? held(value) : [value]
      })
    return this.#made(steps, perList, make)
  }

  #map({ entries, optional }: MapExpr, locals: Locals): Step {
    const pairs = entries.map(([key, value]) => [this.step(key, locals), this.step(value, locals)])
    const make = (frame: Frame) => {
      const made = pairs.flatMap(([keyStep, valueStep], at): [unknown, unknown][] => {
        const [key, value] = [keyStep?.run(frame), valueStep?.run(frame)]
        if (optional?.has(at) !== true) return [[key, value]]
        return held(value).map((one) => [key, one])
      })
      return new CelMap(made)
    }
    return this.#made(pairs.flat(), perMap, make)
  }

  #struct({ type, fields }: StructExpr, locals: Locals): Step {
    const steps = fields.map(({ name, value, isOptional }) => {
      return { name, isOptional, step: this.step(value, locals) }
    })
    const meter = this.#meter
    return {
      run: (frame) => {
        const made = steps.flatMap(({ name, isOptional, step }): [string, unknown][] => {
          const value = step.run(frame)
          return isOptional ? held(value).map((one) => [name, one]) : [[name, value]]
        })
        meter.add(perStruct)
        return new StructValue(type, new Map(made))
      },
    }
  }

  /**
   * Step that creates a value. If all parts are constant, the value is created once and free of
   * charge.
   */
  #made(parts: readonly Step[], cost: number, make: (frame: Frame) => unknown): Step {
    if (parts.every(({ constant }) => constant !== undefined))
      return constantStep(make(new Frame([])))
    const meter = this.#meter
    return {
      run: (frame) => {
        const value = make(frame)
        meter.add(cost)
        return value
      },
    }
  }

  #fold(fold: Fold, locals: Locals): Step {
    const withResult = new Set([...locals, fold.result])
    const inner = new Set([...withResult, ...fold.variables])
    return foldStep(fold, {
      range: this.step(fold.range, locals),
      initial: this.step(fold.initial, locals),
      condition: this.step(fold.condition, inner),
      step: this.step(fold.step, inner),
      outcome: this.step(fold.outcome, withResult),
    })
  }
}

/** Value of an optional as a list; empty if absent. */
function held(value: unknown): unknown[] {
  if (!(value instanceof Optional))
    throw new Error(
      `cannot initialize optional list element from non-optional value ${String(value)}`,
    )
  return value.hasValue ? [value.value] : []
}

/** Dotted name, unless its first part is a variable. */
function qualifiedName(expr: Expr, locals: Locals): string | undefined {
  if (expr.is === 'name') {
    const isVariable = locals.has(expr.name) || expr.name === 'self' || expr.name === 'oldSelf'
    return isVariable ? undefined : expr.name.replace(/^\./, '')
  }
  if (expr.is !== 'select' || expr.isTest) return undefined
  const prefix = qualifiedName(expr.of, locals)
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`
}

/**
 * Logical operator. An operand may decide even if the other fails; the first of two failures is
 * reported.
 */
function logical(steps: readonly Step[], decisive: boolean): Step {
  return {
    run: (frame) => {
      let failure: { error: unknown } | undefined
      for (const step of steps) {
        const value = guarded(() => step.run(frame))
        if (value === decisive) return decisive
        if (value !== !decisive) failure ??= failureOf(value)
      }
      if (failure !== undefined) throw failure.error
      return !decisive
    },
  }
}

function failureOf(value: unknown): { error: unknown } {
  const isFailure = typeof value === 'object' && value !== null && 'error' in value
  return isFailure ? value : { error: new Error('no such overload') }
}

/** Condition of a loop, which continues unless it is false; a failure does not end the loop. */
function notFalse([of]: readonly Step[], meter: CostMeter): Step {
  return {
    run: (frame) => {
      const value = guarded(() => of?.run(frame))
      meter.add(1)
      return value !== false
    },
  }
}
