import { addToGroup } from '../../meta/collections/groupBy.ts'
import type { Path } from '../syntax/paths.ts'
import type { Range } from './ranges.ts'
import type { EntrySizes } from './sizes.ts'

/** Path and size of a variable. */
export interface Variable {
  path: Path
  size: Range | undefined
  entries: EntrySizes | undefined
}

/** Variables in scope; an inner variable hides outer variables of the same name. */
export class Scopes {
  readonly #known = new Map<string, Variable[]>()

  of(name: string): Variable | undefined {
    return this.#known.get(name)?.at(-1)
  }

  push(name: string, variable: Variable): void {
    addToGroup(this.#known, name, variable)
  }

  pop(name: string): void {
    this.#known.get(name)?.pop()
  }
}
