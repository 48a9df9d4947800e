/** Unsigned 64-bit integer. */
export class Unsigned {
  readonly value: bigint

  constructor(value: bigint) {
    this.value = value
  }
}

/** A timestamp in nanoseconds since 1970. */
export class Timestamp {
  readonly nanoseconds: bigint

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds
  }
}

export class Duration {
  readonly nanoseconds: bigint

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds
  }
}

/** A value that may be missing. */
export class Optional {
  readonly #value: unknown
  readonly hasValue: boolean

  private constructor(hasValue: boolean, value: unknown) {
    this.hasValue = hasValue
    this.#value = value
  }

  static readonly none = new Optional(false, undefined)

  static of(value: unknown): Optional {
    return new Optional(true, value)
  }

  /** Value. @throws Error if it is absent. */
  get value(): unknown {
    if (!this.hasValue) throw new Error('optional.none() dereference')
    return this.#value
  }
}

/** A type as a value. */
export class TypeValue {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Value of a library type, which only the library's functions can read. */
export abstract class Opaque {
  abstract readonly typeName: string
  abstract equals(other: Opaque): boolean
  /** Size of the value for cost calculations. */
  get size(): number {
    return 1
  }
}

/** Value of an unknown type, which can only be compared. */
export class Preserved {
  readonly raw: unknown

  constructor(raw: unknown) {
    this.raw = raw
  }
}

/** Error kept in the accumulator of a loop until it is read. */
export class Failure {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/** Integer. @throws Error if it exceeds 64 bits. */
export function int64(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new Error('integer overflow')
  return value
}

/** Unsigned integer. @throws Error if it exceeds 64 bits. */
export function uint64(value: bigint): Unsigned {
  if (BigInt.asUintN(64, value) !== value) throw new Error('unsigned integer overflow')
  return new Unsigned(value)
}

export function noSuchOverload(): Error {
  return new Error('no such overload')
}
