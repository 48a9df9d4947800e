import { dyn, isSameType, part, type CelType } from './types.ts'

/**
 * Known types of type parameters, by name. Each assignment may determine further parameters.
 * Source: the language's definition, "Type system".
 */
export class Substitutions {
  readonly #known = new Map<string, CelType>()
  /** Changes with their previous types, so that a failed attempt can be undone. */
  readonly #changes: { name: string; before: CelType | undefined }[] = []
  #count = 0

  /** New parameter without a known type. */
  fresh(): CelType {
    return { kind: 'param', name: `_var${this.#count++}`, of: [] }
  }

  /** Copies of types in which each parameter is replaced by a new one. */
  instance(types: readonly CelType[]): CelType[] {
    const made = new Map<string, CelType>()
    const replaced = (type: CelType): CelType => {
      if (type.kind !== 'param')
        return type.of.length === 0 ? type : { ...type, of: type.of.map(replaced) }
      const own = made.get(type.name) ?? this.fresh()
      made.set(type.name, own)
      return own
    }
    return types.map(replaced)
  }

  /** Type with its known parameters replaced. `isFinal`: unknown parameters become dynamic. */
  applied(type: CelType, { isFinal = false } = {}): CelType {
    if (type.kind === 'param') {
      const known = this.#known.get(type.name)
      if (known !== undefined) return this.applied(known, { isFinal })
      return isFinal ? dyn : type
    }
    if (type.of.length === 0) return type
    return { ...type, of: type.of.map((one) => this.applied(one, { isFinal })) }
  }

  /**
   * Reports whether each value may have the requested type. A failed attempt leaves no assignments.
   */
  assign(given: readonly CelType[], wanted: readonly CelType[]): boolean {
    if (given.length !== wanted.length) return false
    const count = this.#changes.length
    if (given.every((one, at) => this.#fits(one, wanted[at] ?? dyn))) return true
    for (const { name, before } of this.#changes.splice(count).reverse()) {
      if (before === undefined) this.#known.delete(name)
      else this.#known.set(name, before)
    }
    return false
  }

  #set(name: string, type: CelType): void {
    this.#changes.push({ name, before: this.#known.get(name) })
    this.#known.set(name, type)
  }

  #fits(given: CelType, wanted: CelType): boolean {
    if (wanted.kind === 'param') {
      const outcome = this.#learn(given, wanted)
      if (outcome !== 'unsuited') return outcome
    }
    if (given.kind === 'param') return this.#learn(wanted, given) === true
    if (given.kind === 'dyn' || wanted.kind === 'dyn') return true
    if (given.kind === 'null') return isNullable(wanted)
    if (wanted.kind === 'null') return isNullable(given)
    if (given.kind !== wanted.kind || given.name !== wanted.name) return false
    if (given.kind === 'object') return given === wanted
    if (given.of.length !== wanted.of.length) return false
    return given.of.every((one, at) => this.#fits(one, part(wanted, at)))
  }

  /**
   * Determines the type of a parameter. 'unsuited': the parameter cannot have the type; if the type
   * is itself a parameter, the reverse may be possible.
   */
  #learn(type: CelType, param: CelType): boolean | 'unsuited' {
    if (isSameType(type, param)) return true
    const known = this.#known.get(param.name)
    if (known === undefined) {
      if (this.#mentions(type, param)) return 'unsuited'
      this.#set(param.name, type)
      return true
    }
    if (isSameType(type, known)) return true
    if (!this.#fits(type, known)) return false
    const general = moreGeneral(type, known)
    if (!this.#mentions(general, param)) this.#set(param.name, general)
    return true
  }

  #mentions(type: CelType, param: CelType): boolean {
    if (type.kind === 'param') {
      if (type.name === param.name) return true
      const known = this.#known.get(type.name)
      return known !== undefined && this.#mentions(known, param)
    }
    return type.of.some((one) => this.#mentions(one, param))
  }
}

function isNullable({ kind }: CelType): boolean {
  return ['null', 'opaque', 'optional', 'object', 'duration', 'timestamp'].includes(kind)
}

/** The more general of two compatible types. */
export function moreGeneral(a: CelType, b: CelType): CelType {
  return saysNoMore(a, b) ? a : b
}

function saysNoMore(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true
  if (b.kind === 'dyn' || b.kind === 'param') return false
  if (a.kind !== b.kind || a.name !== b.name || a.of.length !== b.of.length) return false
  if (a.kind === 'object') return a === b
  return a.of.every((one, at) => saysNoMore(one, part(b, at)))
}
