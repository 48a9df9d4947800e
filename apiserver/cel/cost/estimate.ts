import { callCost } from '../functions/table.ts'
import type { CallCost, CostedValue } from './estimates.ts'
import type { CheckedExpr } from '../types/checking.ts'
import { isBinding, type Call, type Expr, type Fold, type Select } from '../syntax/expr.ts'
import { below, namesOf, nowhere, pathOf, type Path } from '../syntax/paths.ts'
import { fixed, largest, product, sum, union, unknownRange, type Range } from './ranges.ts'
import { covering, isScalar, literalSize, unionOf, type EntrySizes } from './sizes.ts'
import { Scopes } from './scopes.ts'
import type { SchemaType } from '../types/schemaTypes.ts'
import type { Overload } from '../types/signatures.ts'
import { part } from '../types/types.ts'

/**
 * Maximum cost of an expression for any values that `schema` allows in its variables. Source:
 * Kubernetes documentation, "Validation rules", "Resource use by validation functions".
 */
export function estimatedCost(checked: CheckedExpr, schema: SchemaType): bigint {
  return new Estimator(checked, schema).cost(checked.root).max
}

const read = fixed(1)
const listMade = fixed(10)
const mapMade = fixed(30)
const structMade = fixed(40)

class Estimator {
  readonly #checked: CheckedExpr
  readonly #schema: SchemaType
  readonly #paths = new Map<Expr, Path>()
  readonly #sizes = new Map<Expr, Range>()
  readonly #entries = new Map<Expr, EntrySizes>()
  readonly #variables = new Scopes()

  constructor(checked: CheckedExpr, schema: SchemaType) {
    this.#checked = checked
    this.#schema = schema
  }

  cost(expr: Expr): Range {
    switch (expr.is) {
      case 'literal':
        return fixed(0)
      case 'name':
        this.#paths.set(expr, this.#variables.of(expr.name)?.path ?? pathOf(expr.name))
        return read
      case 'select':
        return this.#select(expr)
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr, expr.items)
      case 'map':
        return this.#map(expr, expr.entries)
      case 'struct':
        return expr.fields.reduce((all, { value }) => sum(all, this.cost(value)), structMade)
      case 'fold':
        return isBinding(expr) ? this.#binding(expr) : this.#fold(expr)
    }
  }

  /** Cost of a selection; testing whether a field exists is free. */
  #select(expr: Select): Range {
    const { of, field, isTest } = expr
    if (this.#checked.isTypeName(expr)) {
      this.#paths.set(expr, pathOf(field))
      return read
    }
    const cost = this.cost(of)
    if (isTest) return cost
    const { kind } = this.#checked.typeOf(of)
    const isRead = kind === 'map' || kind === 'object'
    this.#paths.set(expr, below(this.#pathOf(of), field))
    return isRead ? sum(cost, read) : cost
  }

  #call(expr: Call): Range {
    const name = this.#checked.functionOf(expr)
    const [first] = expr.args
    if (name === 'dyn' && first !== undefined) return this.#dyn(expr, first)
    const costs: Range[] = []
    const args = expr.args.map((arg) => {
      costs.push(this.cost(arg))
      return this.#valueOf(arg)
    })
    const isMethod = expr.target !== undefined && name === expr.name
    const targetCost = isMethod && expr.target !== undefined ? this.cost(expr.target) : fixed(0)
    const target = isMethod && expr.target !== undefined ? this.#valueOf(expr.target) : undefined
    const own = this.#ownCost(expr, { name, target, args, costs })
    return sum(targetCost, own)
  }

  /** Cost of the call without its arguments, for any overload to which the call may resolve. */
  #ownCost(
    expr: Call,
    call: { name: string; target: CostedValue | undefined; args: CostedValue[]; costs: Range[] },
  ): Range {
    const overloads = this.#overloads(expr)
    let cost: Range = { min: largest, max: 0n }
    let size: Range | undefined
    for (const overload of overloads) {
      const one = this.#overloadCost(expr, overload, call)
      cost = union(cost, one.cost)
      if (one.size !== undefined) size = size === undefined ? one.size : union(size, one.size)
      const isIndex = overload.id === 'indexList' || overload.id === 'indexMap'
      if (isIndex && expr.args[0] !== undefined) {
        size = this.#entriesOf(expr.args[0])?.value
        const step = overload.id === 'indexList' ? '@items' : '@values'
        this.#paths.set(expr, below(this.#pathOf(expr.args[0]), step))
      }
      size ??= this.#sizeOf(expr)
    }
    if (size !== undefined) this.#sizes.set(expr, size)
    return cost
  }

  #overloads(expr: Call): readonly Overload[] {
    return expr.name === '_?._' ? optionalField : this.#checked.overloadsOf(expr)
  }

  #overloadCost(
    expr: Call,
    overload: Overload,
    call: { name: string; target: CostedValue | undefined; args: CostedValue[]; costs: Range[] },
  ): CallCost {
    const { name, target, args, costs } = call
    if (overload.id === 'logical') return { cost: logicalCost(costs) }
    if (overload.id === 'conditional') return this.#conditional(expr, args, costs)
    if (overload.id === 'addText' || overload.id === 'addList') this.#noteSum(expr, args)
    const itemOf = (list: CostedValue) => this.#itemOf(list)
    const found = callCost(name, { overload, target, args, itemOf })
    return { ...found, cost: sum(found.cost, ...costs) }
  }

  #conditional(expr: Expr, args: readonly CostedValue[], costs: readonly Range[]): CallCost {
    const [, then, otherwise] = args
    const entries = unionOf(this.#entriesOf(then?.expr), this.#entriesOf(otherwise?.expr))
    if (entries !== undefined) this.#entries.set(expr, entries)
    const [condition = fixed(0), thenCost = fixed(0), otherwiseCost = fixed(0)] = costs
    const size = union(then?.size ?? unknownRange, otherwise?.size ?? unknownRange)
    return { cost: sum(condition, union(thenCost, otherwiseCost)), size }
  }

  #noteSum(expr: Expr, [left, right]: readonly CostedValue[]): void {
    const entries = unionOf(this.#entriesOf(left?.expr), this.#entriesOf(right?.expr))
    if (entries !== undefined) this.#entries.set(expr, entries)
  }

  /** Cost of `dyn`, which only bypasses the type check. */
  #dyn(expr: Call, of: Expr): Range {
    const cost = this.cost(of)
    this.#copySizes(expr, of)
    return sum(fixed(1), cost)
  }

  #list(expr: Expr, items: readonly Expr[]): Range {
    const costs: Range[] = []
    const sizes = items.map((item) => {
      costs.push(this.cost(item))
      return this.#sizeOf(item) ?? unknownRange
    })
    this.#entries.set(expr, { container: 'list', key: fixed(1), value: covering(sizes) })
    return sum(...costs, listMade)
  }

  #map(expr: Expr, entries: readonly (readonly [Expr, Expr])[]): Range {
    const costs: Range[] = []
    const [keys, values]: [Range[], Range[]] = [[], []]
    for (const [key, value] of entries) {
      costs.push(this.cost(key), this.cost(value))
      keys.push(this.#sizeOf(key) ?? unknownRange)
      values.push(this.#sizeOf(value) ?? unknownRange)
    }
    this.#entries.set(expr, { container: 'map', key: covering(keys), value: covering(values) })
    return sum(...costs, mapMade)
  }

  #fold(expr: Fold): Range {
    const { range, variables, result, initial, condition, step, outcome } = expr
    const before = sum(this.cost(range), this.cost(initial))
    this.#pushBound(result, initial)
    this.#pushRounds(range, variables)
    const conditionCost = this.cost(condition)
    const each = sum(this.cost(step), conditionCost)
    for (const name of variables) this.#variables.pop(name)
    const after = this.cost(outcome)
    this.#variables.pop(result)
    const count = this.#sizeOf(range) ?? unknownRange
    this.#noteResult(expr, count)
    return sum(before, after, product(count, each))
  }

  #noteResult(expr: Fold, count: Range): void {
    const { initial, step } = expr
    if (initial.is === 'literal') {
      const size = this.#sizeOf(initial)
      if (size !== undefined) this.#sizes.set(expr, size)
    } else if (initial.is === 'list' || initial.is === 'map') {
      this.#sizes.set(expr, count)
      const entries = this.#entriesOf(step)
      if (entries !== undefined) this.#entries.set(expr, entries)
    }
  }

  #pushBound(name: string, value: Expr): void {
    const path = this.#pathOf(value)
    const entries = this.#entriesOf(value)
    this.#variables.push(name, { path, size: this.#sizeOf(value), entries })
  }

  #pushRounds(range: Expr, variables: readonly string[]): void {
    const [first = '', second] = variables
    const entries = this.#entriesOf(range)
    const isList = (entries?.container ?? this.#checked.typeOf(range).kind) === 'list'
    const value = { size: entries?.value, step: isList ? '@items' : '@values' }
    const key = { size: entries?.key, step: isList ? '@indices' : '@keys' }
    const pushed = second === undefined ? (isList ? [value] : [key]) : [key, value]
    const names = second === undefined ? [first] : [first, second]
    pushed.forEach(({ size, step }, at) => {
      const path = below(this.#pathOf(range), step)
      this.#variables.push(names[at] ?? '', { path, size, entries: undefined })
    })
  }

  /** Cost of binding a name, including the cost of the empty list of its loop. */
  #binding(expr: Fold): Range {
    const { range, result, initial, outcome } = expr
    const before = sum(this.cost(range), this.cost(initial))
    this.#pushBound(result, initial)
    const after = this.cost(outcome)
    this.#variables.pop(result)
    this.#copySizes(expr, outcome)
    return sum(before, after)
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#sizeOf(from)
    if (size !== undefined) this.#sizes.set(to, size)
    const entries = this.#entriesOf(from)
    if (entries !== undefined) this.#entries.set(to, entries)
  }

  #pathOf(expr: Expr): Path {
    const variable = expr.is === 'name' ? this.#variables.of(expr.name) : undefined
    return variable?.path ?? this.#paths.get(expr) ?? nowhere
  }

  #valueOf(expr: Expr): CostedValue {
    const path = this.#pathOf(expr)
    const isCarried = namesOf(path)[0] === '@result'
    return {
      expr,
      type: this.#checked.typeOf(expr),
      path: isCarried ? nowhere : path,
      size: this.#sizeOf(expr),
    }
  }

  #itemOf({ type, path }: CostedValue): CostedValue {
    // Copied for each item, so that no other path is overwritten.
    const names = [...namesOf(path), '@items']
    const own = { names, length: names.length, capacity: names.length }
    const at = path.length === 0 ? nowhere : own
    return { expr: undefined, type: part(type, 0), path: at, size: this.#schemaSize(at) }
  }

  #sizeOf(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr) ?? literalSize(expr)
    if (known !== undefined) return known
    const declared = this.#schemaSize(this.#pathOf(expr))
    if (declared !== undefined) {
      this.#sizes.set(expr, declared)
      return declared
    }
    if (isScalar(this.#checked.typeOf(expr))) return fixed(1)
    return expr.is === 'name' ? this.#variables.of(expr.name)?.size : undefined
  }

  #entriesOf(expr: Expr | undefined): EntrySizes | undefined {
    if (expr === undefined) return undefined
    const known = this.#entries.get(expr)
    return known ?? (expr.is === 'name' ? this.#variables.of(expr.name)?.entries : undefined)
  }

  /** Size of the value at a path, according to the schema; the name of the variable is ignored. */
  #schemaSize(path: Path): Range | undefined {
    if (path.length === 0) return undefined
    let at: SchemaType | undefined = this.#schema
    for (const name of namesOf(path).slice(1)) {
      if (name === '@items' || name === '@values') at = at?.element
      else if (name === '@keys') at = at?.key
      else at = at?.fieldOf?.(name)
      if (at === undefined) return undefined
    }
    return { min: 0n, max: BigInt(at.maxElements) }
  }
}

const optionalField: readonly Overload[] = [
  { text: '', id: '', isMethod: false, args: [], result: { kind: 'dyn', name: 'dyn', of: [] } },
]

/** Cost of a logical operator, whose second operand need not be evaluated. */
function logicalCost([left = fixed(0), right = fixed(0)]: readonly Range[]): Range {
  return { min: left.min, max: sum(left, right).max }
}
