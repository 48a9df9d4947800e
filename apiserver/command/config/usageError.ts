/** The server was asked for something it does not understand: one sentence for each thing wrong. Exit code 2. */
export class UsageError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'UsageError'
    this.problems = problems
  }
}
