import type {
  Call,
  Expr,
  Fold,
  ListExpr,
  LiteralValue,
  MapExpr,
  Name,
  Select,
  StructExpr,
  StructField,
} from '../syntax/expr.ts'
import { formsOf } from '../functions/table.ts'
import type { Problem } from '../syntax/sourceErrors.ts'
import type { Overload } from './signatures.ts'
import {
  dyn,
  listOf,
  mapOf,
  optionalOf,
  part,
  typeNamed,
  typeNames,
  typeText,
  type CelType,
} from './types.ts'
import { noPatchTypes, patchTypes, type PatchTypes } from './patchTypes.ts'
import { moreGeneral, Substitutions } from './unification.ts'

/** An expression with its types. */
export interface CheckedExpr {
  root: Expr
  typeOf(part: Expr): CelType
  /** Possible overloads of a call: several if a type is only known during evaluation. */
  overloadsOf(call: Call): readonly Overload[]
  /** Full name of a namespaced function; otherwise the name of the call. */
  functionOf(call: Call): string
  /** Reports whether a dotted name is the name of a type. */
  isTypeName(select: Select): boolean
}

/**
 * Checks the types of an expression. The result includes errors; parts without errors are still
 * checked. Source: the language's definition, "Type checking".
 */
export function check(
  root: Expr,
  variables: ReadonlyMap<string, CelType>,
  structs: PatchTypes = noPatchTypes,
): { checked: CheckedExpr; problems: readonly Problem[] } {
  const checker = new Checker(variables, structs)
  checker.check(root)
  return { checked: checker.result(root), problems: checker.problems }
}

class Checker {
  readonly problems: Problem[] = []
  readonly #types = new Map<Expr, CelType>()
  readonly #overloads = new Map<Call, readonly Overload[]>()
  readonly #functions = new Map<Call, string>()
  readonly #typeNames = new Set<Select>()
  readonly #substitutions = new Substitutions()
  readonly #structs: PatchTypes
  #scope: ReadonlyMap<string, CelType>

  constructor(variables: ReadonlyMap<string, CelType>, structs: PatchTypes) {
    this.#scope = variables
    this.#structs = structs
  }

  result(root: Expr): CheckedExpr {
    const final = new Map<Expr, CelType>()
    return {
      root,
      typeOf: (one) => {
        const known = final.get(one)
        if (known !== undefined) return known
        const type = this.#substitutions.applied(this.#types.get(one) ?? dyn, { isFinal: true })
        final.set(one, type)
        return type
      },
      overloadsOf: (call) => this.#overloads.get(call) ?? [],
      functionOf: (call) => this.#functions.get(call) ?? call.name,
      isTypeName: (select) => this.#typeNames.has(select),
    }
  }

  check(expr: Expr): CelType {
    const type = this.#typeOf(expr)
    this.#types.set(expr, type)
    return type
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.is) {
      case 'literal':
        return typeNamed(kindOfLiteral(expr.value))
      case 'name':
        return this.#name(expr)
      case 'select':
        return this.#select(expr)
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr)
      case 'map':
        return this.#map(expr)
      case 'struct':
        return this.#struct(expr)
      case 'fold':
        return this.#fold(expr)
    }
  }

  #name({ name: given, at }: Name): CelType {
    const name = given.replace(/^\./, '')
    const found = this.#scope.get(name) ?? (typeNames.has(name) ? typeNamed('type') : undefined)
    return found ?? this.#failed(at, undeclared(name))
  }

  /** Reports a problem. The failed part gets the dynamic type. */
  #failed(at: number | undefined, text: string): CelType {
    this.problems.push({ at, text })
    return dyn
  }

  #select(expr: Select): CelType {
    const { of, field, isTest } = expr
    const qualified = isTest ? undefined : this.#qualified(expr)
    if (qualified !== undefined && typeNames.has(qualified)) {
      this.#typeNames.add(expr)
      return typeNamed('type')
    }
    const found = this.#field(of, field, { at: expr.at })
    return isTest ? typeNamed('bool') : found
  }

  #field(
    of: Expr,
    field: string,
    { at, isOptional = false }: { at: number | undefined; isOptional?: boolean },
  ): CelType {
    const given = this.#substitutions.applied(this.check(of))
    const target = given.kind === 'optional' ? part(given, 0) : given
    const found = this.#member(target, field, at)
    return isOptional || given.kind === 'optional' ? optionalOf(found) : found
  }

  #member(target: CelType, field: string, at: number | undefined): CelType {
    const { kind } = target
    if (kind === 'map') return part(target, 1)
    if (kind === 'object') {
      return target.fieldOf?.(field) ?? this.#failed(at, `undefined field '${field}'`)
    }
    if (kind === 'param') this.#substitutions.assign([dyn], [target])
    if (kind === 'param' || kind === 'dyn') return dyn
    return this.#failed(at, `type '${typeText(target)}' does not support field selection`)
  }

  #call(expr: Call): CelType {
    const { name, target, args } = expr
    if (name === '_?._') return this.#optionalField(expr)
    const prefix = target && this.#qualified(target)
    const full = prefix === undefined ? undefined : `${prefix}.${name}`
    if (full !== undefined && formsOf(full) !== undefined && this.#isDeclared(full)) {
      this.#functions.set(expr, full)
      return this.#resolved(expr, full, this.#all(args), false)
    }
    const receiver = target === undefined ? [] : [this.check(target)]
    return this.#resolved(expr, name, [...receiver, ...this.#all(args)], target !== undefined)
  }

  #all(parts: readonly Expr[]): CelType[] {
    return parts.map((one) => this.check(one))
  }

  #optionalField(expr: Call): CelType {
    const [of, field] = expr.args
    if (of === undefined || field?.is !== 'literal' || typeof field.value !== 'string') return dyn
    this.check(field)
    return this.#field(of, field.value, { at: expr.at, isOptional: true })
  }

  /** Dotted name, unless its first part is a variable. */
  #qualified(expr: Expr): string | undefined {
    if (expr.is === 'name')
      return this.#scope.has(expr.name) ? undefined : expr.name.replace(/^\./, '')
    if (expr.is !== 'select' || expr.isTest) return undefined
    const prefix = this.#qualified(expr.of)
    return prefix === undefined ? undefined : `${prefix}.${expr.field}`
  }

  #resolved(expr: Call, name: string, types: readonly CelType[], isMethod: boolean): CelType {
    const declared = formsOf(name)
    if (declared === undefined) return this.#unknown(expr, types, isMethod)
    if (name === '_&&_' || name === '_||_') return this.#logical(expr, types, declared)
    const fitting = declared
      .filter((overload) => overload.isMethod === isMethod)
      .flatMap((overload) => {
        const result = this.#fitted(overload, types)
        return result === undefined ? [] : [{ overload, result }]
      })
    const [first, ...others] = fitting
    if (first === undefined) return this.#failed(expr.at, this.#noOverload(name, types, isMethod))
    this.#overloads.set(
      expr,
      fitting.map(({ overload }) => overload),
    )
    const text = typeText(first.result)
    return others.every(({ result }) => typeText(result) === text) ? first.result : dyn
  }

  /**
   * Reports an unknown function. Functions for values that rules cannot access are also declared. A
   * call on an unknown name is not reported again.
   */
  #unknown(expr: Call, types: readonly CelType[], isMethod: boolean): CelType {
    const { name, at } = expr
    if (!isMethod || !elsewhere.has(name)) return this.#failed(at, undeclared(name))
    const isAny = types[0]?.kind === 'dyn'
    return isAny ? dyn : this.#failed(at, this.#noOverload(name, types, isMethod))
  }

  /** Reports each operand that is not a boolean, at its position. */
  #logical(expr: Call, types: readonly CelType[], declared: readonly Overload[]): CelType {
    types.forEach((type, at) => this.#expect(type, typeNamed('bool'), expr.args[at]?.at))
    this.#overloads.set(expr, declared)
    return typeNamed('bool')
  }

  /** Result type of an overload for the given argument types; undefined: no match. */
  #fitted({ result, args }: Overload, types: readonly CelType[]): CelType | undefined {
    const [gives = dyn, ...takes] = this.#substitutions.instance([result, ...args])
    return this.#substitutions.assign(types, takes) ? this.#substitutions.applied(gives) : undefined
  }

  #noOverload(name: string, types: readonly CelType[], isMethod: boolean): string {
    const texts = types.map((type) =>
      typeText(this.#substitutions.applied(type, { isFinal: true })),
    )
    const [first = '', ...rest] = texts
    const signature = isMethod ? `${first}.(${rest.join(', ')})` : `(${texts.join(', ')})`
    return `found no matching overload for '${name}' applied to '${signature}'`
  }

  #list({ items, optional }: ListExpr): CelType {
    return listOf(this.#joined(items, optional))
  }

  #map({ entries, optional }: MapExpr): CelType {
    return mapOf(
      this.#joined(entries.map(([key]) => key)),
      this.#joined(
        entries.map(([, value]) => value),
        optional,
      ),
    )
  }

  /** Value type of an optional part, which is omitted if it is empty. */
  #unwrapped(expr: Expr): CelType {
    const given = this.#substitutions.applied(this.check(expr))
    if (given.kind === 'optional') return part(given, 0)
    if (given.kind !== 'dyn') this.#expect(given, optionalOf(given), expr.at)
    return given
  }

  #isDeclared(name: string): boolean {
    return this.#structs.isFunction(name) || !patchTypes.isFunction(name)
  }

  #struct({ type: name, fields, at }: StructExpr): CelType {
    const type = this.#structs.typeOf(name)
    if (type === undefined) {
      for (const { value } of fields) this.check(value)
      return this.#failed(at, undeclared(name))
    }
    for (const field of fields) this.#structField(type, field)
    return type
  }

  #structField(type: CelType, { name, value, at, isOptional }: StructField): void {
    const declared = type.fieldOf?.(name)
    const given = isOptional ? this.#unwrapped(value) : this.check(value)
    if (declared !== undefined && this.#substitutions.assign([given], [declared])) return
    const textOf = (one: CelType) => typeText(this.#substitutions.applied(one))
    const wanted = declared === undefined ? '' : textOf(declared)
    const words = `expected type of field '${name}' is '${wanted}'`
    this.#failed(at, `${words} but provided type is '${textOf(given)}'`)
  }

  /** Common type of all parts. */
  #joined(parts: readonly Expr[], optional?: ReadonlySet<number>): CelType {
    let joined: CelType | undefined
    for (const [at, one] of parts.entries()) {
      const type = optional?.has(at) === true ? this.#unwrapped(one) : this.check(one)
      if (joined === undefined) joined = type
      else if (this.#substitutions.assign([joined], [type])) joined = moreGeneral(joined, type)
      else joined = dyn
    }
    return joined ?? this.#substitutions.fresh()
  }

  #fold({ range, variables, result, initial, condition, step, outcome }: Fold): CelType {
    const of = this.#substitutions.applied(this.check(range))
    const carried = this.check(initial)
    const outer = this.#scope
    const withResult = new Map(outer).set(result, carried)
    const inner = new Map(withResult)
    const types = this.#rounds(of, variables.length, range.at)
    variables.forEach((name, at) => inner.set(name, types[at] ?? dyn))
    this.#scope = inner
    this.#expect(this.check(condition), typeNamed('bool'), condition.at)
    this.#expect(this.check(step), carried, step.at)
    this.#scope = withResult
    const type = this.check(outcome)
    this.#scope = outer
    return this.#substitutions.applied(type)
  }

  /** Types of the loop variables. */
  #rounds(range: CelType, count: number, at: number | undefined): readonly CelType[] {
    const { kind } = range
    if (kind === 'list') return count === 1 ? [part(range, 0)] : [typeNamed('int'), part(range, 0)]
    if (kind === 'map') return range.of
    if (kind === 'param') this.#substitutions.assign([dyn], [range])
    if (kind === 'param' || kind === 'dyn') return [dyn, dyn]
    const text = `expression of type '${typeText(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`
    return [this.#failed(at, text), dyn]
  }

  #expect(given: CelType, wanted: CelType, at: number | undefined): void {
    if (this.#substitutions.assign([given], [wanted])) return
    const texts = [wanted, given].map((type) => typeText(this.#substitutions.applied(type)))
    this.#failed(at, `expected type '${texts[0] ?? ''}' but found '${texts[1] ?? ''}'`)
  }
}

function kindOfLiteral(value: LiteralValue): string {
  if (value === null) return 'null'
  if (typeof value === 'object') return value instanceof Uint8Array ? 'bytes' : 'uint'
  return kinds[typeof value] ?? 'dyn'
}

const kinds: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'bool',
  bigint: 'int',
  number: 'double',
}

/** Methods of the authorizer, available in admission policies. */
const elsewhere = new Set([
  ...['path', 'group', 'serviceAccount', 'resource', 'subresource', 'namespace', 'name', 'check'],
  ...['allowed', 'reason', 'error', 'errored', 'fieldSelector', 'labelSelector'],
])

function undeclared(name: string): string {
  return `undeclared reference to '${name}' (in container '')`
}
