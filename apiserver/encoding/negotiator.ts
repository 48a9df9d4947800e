import { Memory } from '../meta/collections/memory.ts'
import { defaultTypes, type ServedType } from './mediaTypes.ts'
import { negotiate, type Negotiated, type Transforms } from './negotiate.ts'

/** `negotiate` for one list of types, with a cache: clients repeat a few different headers. */
export class Negotiator {
  readonly types: readonly ServedType[]
  readonly #answers = new Memory<Negotiated | undefined>()

  constructor(types: readonly ServedType[] = defaultTypes) {
    this.types = types
  }

  /** Like the function `negotiate`. The result is shared between requests. */
  negotiate(
    accept: string | undefined,
    options: { transforms: Transforms; stream?: boolean },
  ): Negotiated | undefined {
    const key = `${options.transforms} ${options.stream === true} ${accept ?? ''}`
    return this.#answers.of(key, () => negotiate(accept, { ...options, types: this.types }))
  }
}
