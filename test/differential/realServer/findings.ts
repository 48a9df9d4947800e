import type { Call } from '../call.ts'
import type { Difference } from '../compare.ts'
import { curl } from './servers/curl.ts'

/** Case whose responses differ. */
export interface Finding {
  /** Kind or part of the case. */
  title: string
  /** Requests that reproduce it, in order. */
  calls: readonly Call[]
  /** Command that reproduces it, in place of requests. */
  command?: string
  differences: readonly Difference[]
}

interface FindingClass {
  count: number
  first: Finding
}

/** Findings by class: those with the same title and a first difference of the same form. */
export class Findings {
  readonly #classes = new Map<string, FindingClass>()
  readonly #isKnown: (name: string) => boolean
  /** Number of findings of known classes, by class. */
  readonly #known = new Map<string, number>()
  #count = 0

  /** `isKnown`: classes whose findings are counted but not shown. */
  constructor(isKnown: (name: string) => boolean = () => false) {
    this.#isKnown = isKnown
  }

  get count(): number {
    return this.#count
  }

  /** Known classes that were found, with their sizes; `count` excludes them. */
  knownReport(): string {
    return [...this.#known].map(([name, count]) => `known: ${count} × ${name}\n`).join('')
  }

  add(finding: Finding): void {
    const name = classOf(finding)
    if (this.#isKnown(name)) {
      this.#known.set(name, (this.#known.get(name) ?? 0) + 1)
      return
    }
    this.#count++
    const known = this.#classes.get(name)
    if (known === undefined) this.#classes.set(name, { count: 1, first: finding })
    else known.count++
  }

  /** Classes in descending order of size, each with the requests of its first finding. */
  report(): string {
    const largest = [...this.#classes].sort(([, a], [, b]) => b.count - a.count)
    return largest.map(([name, found]) => shownClass(name, found)).join('\n\n')
  }
}

/** Title, place of the difference, and both responses, without words specific to one object. */
export function classOf(finding: Finding): string {
  return finding.command === undefined ? classOfCalls(finding) : finding.title
}

function classOfCalls({ title, calls, differences: [first] }: Finding): string {
  const call = calls[first?.step ?? 0]
  const at = (first?.at ?? '').replaceAll(/\[\d+\]/g, '[]')
  const { ours = '', peer = '' } = first?.answers ?? {}
  const codes = at === 'status' ? ` ${codeOf(ours)} here, ${codeOf(peer)} there` : ''
  return `${title} ${call?.method ?? 'GET'}: ${at}${codes}`
}

/** Short form of a response: `422 Invalid`, `201`. */
function codeOf(answer: string): string {
  return /^\d+( [A-Z]\w+)?/.exec(answer)?.[0] ?? ''
}

function shownClass(name: string, { count, first }: FindingClass): string {
  const lines = first.differences.slice(0, 4).map(({ at, ours, peer }) => {
    return `  ${at}\n    ours ${shown(ours)}\n    real ${shown(peer)}`
  })
  const commands = first.command === undefined ? first.calls.map(curl) : [first.command]
  return [`${count} × ${name}`, ...lines, ...commands.map((command) => `  ${command}`)].join('\n')
}

function shown(value: unknown): string {
  const whole = value === undefined ? 'nothing' : JSON.stringify(value)
  return whole.length > 600 ? `${whole.slice(0, 600)}…` : whole
}
