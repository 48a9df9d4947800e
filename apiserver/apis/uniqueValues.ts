/** So many writes on their way are not worth a look. */
const leastTaken = 1_000

/** Values that no two objects may hold, by who holds them. What was taken for a write that never came about is found to
 *  be free when somebody asks for it, and forgotten: whoever takes a value writes in the same turn, so that the newest
 *  state says whether it is held. */
export class HeldValues<Holder> {
  readonly #isHeld: (value: string, holder: Holder) => boolean
  readonly #isSame: (one: Holder, other: Holder) => boolean
  /** By objects that are stored. */
  readonly #stored = new Map<string, Holder>()
  /** For writes that are on their way, or failed. */
  readonly #taken = new Map<string, Holder>()
  #lookAt = leastTaken

  /** `isHeld` tells by the newest state. */
  constructor(
    isHeld: (value: string, holder: Holder) => boolean,
    isSame: (one: Holder, other: Holder) => boolean,
  ) {
    this.#isHeld = isHeld
    this.#isSame = isSame
  }

  /** Who holds the value; undefined: nobody. */
  holder(value: string): Holder | undefined {
    return [this.#taken.get(value), this.#stored.get(value)].find(
      (holder) => holder !== undefined && this.#isHeld(value, holder),
    )
  }

  /** To be followed by the holder's write in the same turn. */
  take(value: string, holder: Holder): void {
    this.#taken.set(value, holder)
  }

  /** Forgets what was taken for nothing, once it is much. Between takes and their writes nobody may call it. */
  tidy(): void {
    if (this.#taken.size < this.#lookAt) return
    for (const [value, holder] of this.#taken) {
      if (!this.#isHeld(value, holder)) this.#taken.delete(value)
    }
    this.#lookAt = Math.max(leastTaken, 2 * this.#taken.size)
  }

  /** The holder is stored. */
  add(value: string, holder: Holder): void {
    this.#stored.set(value, holder)
    this.#drop(this.#taken, value, holder)
  }

  /** What is stored of the holder has the value no longer. */
  remove(value: string, holder: Holder): void {
    this.#drop(this.#stored, value, holder)
  }

  #drop(values: Map<string, Holder>, value: string, holder: Holder): void {
    const known = values.get(value)
    if (known !== undefined && this.#isSame(known, holder)) values.delete(value)
  }
}
