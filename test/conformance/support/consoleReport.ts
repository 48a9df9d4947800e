import type { Report } from './scenario.ts'

/** Prints one line for each scenario, more for a failure, and the totals at the end. */
export class ConsoleReport implements Report {
  #passed = 0
  #failed = 0
  #skipped = 0
  readonly #failures: string[] = []
  readonly #retried: string[] = []
  readonly #write: (text: string) => void

  constructor(write: (text: string) => void) {
    this.#write = write
  }

  passed(client: string, name: string, ms: number): void {
    this.#passed++
    this.#write(`pass  ${client}: ${name} (${ms} ms)\n`)
  }

  failed(client: string, name: string, error: unknown): void {
    this.#failed++
    const failure = `FAIL  ${client}: ${name}\n${indented(describe(error))}\n`
    this.#failures.push(failure)
    this.#write(failure)
  }

  triedAgain(client: string, name: string, error: unknown): void {
    const failure = `again ${client}: ${name}\n${indented(describe(error))}\n`
    this.#retried.push(failure)
    this.#write(failure)
  }

  skipped(client: string, name: string, reason: string): void {
    this.#skipped++
    this.#write(`skip  ${client}: ${name}: ${reason}\n`)
  }

  /**
   * Prints the failures, the retries and the totals. Returns true if at least one scenario passed
   * and none failed.
   */
  finish(): boolean {
    this.#write(['', ...this.#retried, ...this.#failures].join('\n'))
    this.#write(`\n${this.#passed} passed, ${this.#failed} failed, ${this.#skipped} skipped\n`)
    return this.#failed === 0 && this.#passed > 0
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const difference = 'expected' in error && 'actual' in error ? comparison(error) : ''
  const where = error.stack?.split('\n').find((line) => line.includes('/conformance/')) ?? ''
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.message}` : ''
  return `${error.message}${cause}${difference}\n${where.trim()}`
}

function comparison({ expected, actual }: { expected?: unknown; actual?: unknown }): string {
  return `\nexpected: ${shown(expected)}\nactual:   ${shown(actual)}`
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'undefined')
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '      ')
}
