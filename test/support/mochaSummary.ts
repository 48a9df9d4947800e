import { reporters, Runner, type Hook, type MochaOptions, type Test } from 'mocha'

const { EVENT_HOOK_END, EVENT_RUN_END, EVENT_TEST_END, EVENT_TEST_FAIL, EVENT_TEST_PENDING } =
  Runner.constants

/** Number of files whose time is shown. */
const slowest = 15

/**
 * Reporter for many thousands of tests. Failures are shown when they happen and at the end, where
 * skipped tests and the slowest files are listed.
 */
export default class Summary extends reporters.Base {
  readonly #skipped: string[] = []
  /** Milliseconds of tests and hooks by file. */
  readonly #files = new Map<string, number>()

  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options)
    runner.on(EVENT_TEST_FAIL, (test: Test) => write(`failed: ${test.fullTitle()}`))
    runner.on(EVENT_TEST_PENDING, (test: Test) => this.#skipped.push(test.fullTitle()))
    runner.on(EVENT_TEST_END, (test: Test) => this.#count(test))
    runner.on(EVENT_HOOK_END, (hook: Hook) => this.#count(hook))
    runner.once(EVENT_RUN_END, () => this.#finish())
  }

  #count({ file = '', duration = 0 }: Test | Hook): void {
    this.#files.set(file, (this.#files.get(file) ?? 0) + duration)
  }

  #finish(): void {
    if (this.failures.length > 0) reporters.Base.list(this.failures)
    list('slowest files', this.#slowest())
    list('skipped', this.#skipped)
    const { passes, failures, duration = 0 } = this.stats
    const counts = `${passes} passed, ${failures} failed, ${this.#skipped.length} skipped`
    write(`${counts} in ${(duration / 1000).toFixed(0)} s`)
  }

  #slowest(): string[] {
    const sorted = [...this.#files].sort(([, one], [, other]) => other - one)
    const line = ([file, ms]: [string, number]) =>
      `${(ms / 1000).toFixed(1).padStart(6)} s  ${file.replace(`${process.cwd()}/`, '')}`
    return sorted
      .slice(0, slowest)
      .filter(([, ms]) => ms >= 1000)
      .map(line)
  }
}

function list(title: string, lines: readonly string[]): void {
  if (lines.length > 0) write(`${title}:\n${lines.map((line) => `  ${line}\n`).join('')}`)
}

function write(text: string): void {
  process.stdout.write(`${text}\n`)
}
