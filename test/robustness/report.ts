import type { RobustnessOptions } from './options.ts'
import type { RoundResult } from './round.ts'

const shownFaults = 8
const shownCharacters = 2_000

/** Lines on standard output: one per round, and a summary. */
export class Report {
  readonly #began = performance.now()
  readonly #sums = new Map<string, number>()
  readonly #injected = new Map<string, number>()
  readonly #violated: string[] = []
  #rounds = 0

  constructor({ target, seed, replicas, clients }: RobustnessOptions) {
    const servers = target === 'level' ? 1 : replicas
    this.#print(`${clients} clients, ${servers} × ${target}, seed ${seed}`)
  }

  get isGood(): boolean {
    return this.#violated.length === 0 && this.#rounds > 0
  }

  round(number: number, { faults, injected, counts }: RoundResult): void {
    this.#rounds++
    for (const [name, count] of Object.entries(counts)) add(this.#sums, name, count)
    for (const { fault } of injected) add(this.#injected, fault, 1)
    const verdict = faults.length === 0 ? 'passed' : `FAILED with ${faults.length} violations`
    this.#print(`round ${number} ${verdict}: ${textOf(counts)}`)
    for (const { fault, text, seconds } of injected)
      this.#print(`  ${fault}: ${text}, ${seconds.toFixed(1)} s`)
    for (const fault of faults.slice(0, shownFaults))
      this.#print(`  VIOLATION ${fault.slice(0, shownCharacters)}`)
    this.#violated.push(...faults.map((fault) => `round ${number}: ${fault}`))
  }

  broke(error: unknown): void {
    this.#violated.push(String(error))
    this.#print(`BROKE: ${error instanceof Error ? error.stack : String(error)}`)
  }

  end(): void {
    const minutes = (performance.now() - this.#began) / 60_000
    const faults = [...this.#injected.values()].reduce((sum, count) => sum + count, 0)
    this.#print(`${this.#rounds} rounds in ${minutes.toFixed(1)} min, ${faults} faults`)
    this.#print(textOf(Object.fromEntries(this.#sums)))
    for (const [fault, count] of [...this.#injected].sort(([a], [b]) => a.localeCompare(b)))
      this.#print(`  ${String(count).padStart(4)}  ${fault}`)
    this.#print(`violations: ${this.#violated.length}`)
  }

  #print(line: string): void {
    process.stdout.write(`${line}\n`)
  }
}

function add(sums: Map<string, number>, name: string, count: number): void {
  sums.set(name, (sums.get(name) ?? 0) + count)
}

function textOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}
