/** Thrown if a decision depends on a pending write that may fail: it is repeated when that write has ended. */
export class Undecided extends Error {
  /** Resolves when the write has ended, whether it was committed or lost a race. */
  readonly ended: Promise<void>

  constructor(ended: Promise<void>) {
    super('a write that a decision rests on is on its way')
    this.ended = ended
  }
}
