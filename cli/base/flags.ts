import { durationExamples, secondsIn } from '../../apiserver/meta/durationWords.ts'
import { usageError } from './cliError.ts'

/** Parsed flags of a command, by name in camel case. */
export class Flags {
  readonly #values: Readonly<Record<string, unknown>>

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values
  }

  /** Value of a flag; undefined: not given. */
  string(name: string): string | undefined {
    const value = this.#values[name]
    return typeof value === 'string' ? value : undefined
  }

  /** Values of a repeated flag, split at commas; empty: not given. */
  list(name: string): string[] {
    return this.each(name).flatMap((value) => value.split(',').filter((part) => part !== ''))
  }

  /** Values of a repeated flag as given. */
  each(name: string): string[] {
    const value = this.#values[name]
    return Array.isArray(value) ? value.map(String) : []
  }

  is(name: string): boolean {
    return this.#values[name] === true
  }

  /** Reports whether a flag was given, even as `--no-…`, or has a default. */
  has(name: string): boolean {
    return this.#values[name] !== undefined
  }

  /** Reports whether `--no-<name>` was given. */
  isOff(name: string): boolean {
    return this.#values[name] === false
  }

  /** Seconds of a duration such as 90, 90s, 15m, 12h, 30d or 1h30m. @throws CliError usage. */
  seconds(name: string): number | undefined {
    const given = this.string(name)
    return given === undefined ? undefined : durationSeconds(given, `--${kebab(name)}`)
  }
}

/** @throws CliError usage. */
function durationSeconds(given: string, what: string): number {
  const seconds = secondsIn(given)
  if (seconds !== undefined) return seconds
  throw usageError(`invalid duration "${given}" for ${what}`, `Give ${durationExamples}.`)
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
