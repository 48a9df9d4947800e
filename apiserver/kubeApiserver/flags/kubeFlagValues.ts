import { parseCsvRow } from '../settings/csv.ts'
import type { KubeFlag } from './flag.ts'

/** Given flags: their values as strings in the order of the command line. */
export class FlagValues {
  readonly #flags: ReadonlyMap<string, KubeFlag>
  readonly #given = new Map<string, string[]>()

  constructor(flags: ReadonlyMap<string, KubeFlag>) {
    this.#flags = flags
  }

  add(name: string, text: string): void {
    this.#given.set(name, [...(this.#given.get(name) ?? []), text])
  }

  isGiven(name: string): boolean {
    return this.#given.has(name)
  }

  /** Names of the given flags without an effect, sorted. */
  ignored(): string[] {
    const isIgnored = (name: string) => this.#flags.get(name)?.description === undefined
    return [...this.#given.keys()].filter(isIgnored).toSorted()
  }

  /** Last value, or the default; undefined: neither, or empty. */
  string(name: string): string | undefined {
    const value = this.#given.get(name)?.at(-1) ?? this.#flags.get(name)?.default
    return value === '' ? undefined : value
  }

  number(name: string): number {
    return Number(this.string(name) ?? 0)
  }

  flag(name: string): boolean {
    return isTrue(this.string(name) ?? 'false')
  }

  /** Every value of a flag that may be repeated. */
  all(name: string): string[] {
    return this.#given.get(name) ?? []
  }

  /** Items of a flag with comma-separated values, which may be repeated. */
  list(name: string): string[] {
    return this.all(name).flatMap((value) => parseCsvRow(value))
  }

  milliseconds(name: string): number {
    return durationMs(this.string(name) ?? '0s') ?? 0
  }
}

const trueWords = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])
const falseWords = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False'])

function isTrue(text: string): boolean {
  return trueWords.has(text)
}

/** Reports whether a string is a boolean. Source: Go, strconv.ParseBool. */
export function isBoolean(text: string): boolean {
  return trueWords.has(text) || falseWords.has(text)
}

const unitMs: Readonly<Record<string, number>> = {
  ...{ ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1 },
  ...{ s: 1_000, m: 60_000, h: 3_600_000 },
}
const part = /(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)/g

/** Milliseconds of a duration such as `1h0m0s`; undefined: malformed. Source: Go, time.ParseDuration. */
export function durationMs(text: string): number | undefined {
  const unsigned = text.replace(/^[-+]/, '')
  if (unsigned === '0') return 0
  if (unsigned === '' || unsigned.replace(part, '') !== '') return undefined
  const sum = [...unsigned.matchAll(part)].reduce(
    (total, [, number = '0', unit = 's']) => total + Number(number) * (unitMs[unit] ?? 0),
    0,
  )
  return text.startsWith('-') ? -sum : sum
}
