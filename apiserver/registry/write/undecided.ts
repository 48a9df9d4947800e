/** A decision rests on a write that is on its way and may fail: it is made again when that has ended. */
export class Undecided extends Error {
  /** Resolves when the write has ended, whether it was committed or lost a race. */
  readonly ended: Promise<void>

  constructor(ended: Promise<void>) {
    super('a write that a decision rests on is on its way')
    this.ended = ended
  }
}
