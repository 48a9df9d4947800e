import { Failure } from '../values/scalars.ts'

/** Variables in scope; an inner variable hides outer variables of the same name. */
export class Frame {
  readonly #values = new Map<string, unknown>()
  readonly #outer: Frame | undefined

  constructor(values: Iterable<readonly [string, unknown]>, outer?: Frame) {
    for (const [name, value] of values) this.#values.set(name, value)
    this.#outer = outer
  }

  /** Value of a variable. @throws the failure of the variable; Error for an unknown variable. */
  read(name: string): unknown {
    const value = this.#find(name)
    if (value instanceof Failure) throw value.error
    if (value === undefined) throw new Error(`no such attribute(s): ${name}`)
    return value
  }

  set(name: string, value: unknown): void {
    this.#values.set(name, value)
  }

  #find(name: string): unknown {
    const found = this.#values.get(name)
    return found === undefined && this.#outer !== undefined ? this.#outer.#find(name) : found
  }
}
