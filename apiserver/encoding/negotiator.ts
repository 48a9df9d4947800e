import { defaultTypes, type ServedType } from './mediaTypes.ts'
import { negotiate, type Negotiated, type Transforms } from './negotiate.ts'

/** `negotiate` for one list of types, with a memory: clients send few different headers and send them always. */
export class Negotiator {
  readonly types: readonly ServedType[]
  readonly #answers = new Map<string, Negotiated | undefined>()

  constructor(types: readonly ServedType[] = defaultTypes) {
    this.types = types
  }

  /** The same as the function. The answer is shared between requests. */
  negotiate(
    accept: string | undefined,
    options: { transforms: Transforms; stream?: boolean },
  ): Negotiated | undefined {
    const key = `${options.transforms} ${options.stream === true} ${accept ?? ''}`
    const known = this.#answers.get(key)
    if (known !== undefined || this.#answers.has(key)) return known
    const answer = negotiate(accept, { ...options, types: this.types })
    // Headers that all differ are not worth remembering, and must not fill the memory: start over.
    if (this.#answers.size >= maxAnswers) this.#answers.clear()
    if (key.length <= maxKeyLength) this.#answers.set(key, answer)
    return answer
  }
}

const maxAnswers = 500
const maxKeyLength = 1000
