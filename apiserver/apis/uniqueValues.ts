/** Number of reservations below which cleaning up is not worthwhile. */
const leastTaken = 1_000

/**
 * Unique values and their holders. A holder reserves a value in the same turn as its write, so the
 * newest state shows whether the value is held; the reservation of a failed write is dropped at the
 * next look-up.
 */
export class UniqueValues<Holder> {
  readonly #isHeld: (value: string, holder: Holder) => boolean
  readonly #isSame: (one: Holder, other: Holder) => boolean
  /** Holders of stored values. */
  readonly #stored = new Map<string, Holder>()
  /** Reservations of pending or failed writes. */
  readonly #taken = new Map<string, Holder>()
  #lookAt = leastTaken

  /** `isHeld` checks the newest state. */
  constructor(
    isHeld: (value: string, holder: Holder) => boolean,
    isSame: (one: Holder, other: Holder) => boolean,
  ) {
    this.#isHeld = isHeld
    this.#isSame = isSame
  }

  /** The holder of the value; undefined: it is free. */
  holder(value: string): Holder | undefined {
    return [this.#taken.get(value), this.#stored.get(value)].find(
      (holder) => holder !== undefined && this.#isHeld(value, holder),
    )
  }

  /** Reserves a value; the holder's write has to follow in the same turn. */
  take(value: string, holder: Holder): void {
    this.#taken.set(value, holder)
  }

  /** Drops failed reservations when there are many. It must not be called between a reservation and its write. */
  tidy(): void {
    if (this.#taken.size < this.#lookAt) return
    for (const [value, holder] of this.#taken) {
      if (!this.#isHeld(value, holder)) this.#taken.delete(value)
    }
    this.#lookAt = Math.max(leastTaken, 2 * this.#taken.size)
  }

  /** Records a stored value. */
  add(value: string, holder: Holder): void {
    this.#stored.set(value, holder)
    this.#drop(this.#taken, value, holder)
  }

  /** Removes a value that the stored object no longer has. */
  remove(value: string, holder: Holder): void {
    this.#drop(this.#stored, value, holder)
  }

  #drop(values: Map<string, Holder>, value: string, holder: Holder): void {
    const known = values.get(value)
    if (known !== undefined && this.#isSame(known, holder)) values.delete(value)
  }
}
