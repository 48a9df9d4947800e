import { stringEnd } from '../meta/json/jsonStrings.ts'

const maxDuplicates = 100

/** An object or array that contains the current position. */
interface Level {
  path: string
  /** The keys so far; undefined in an array. */
  keys: Set<string> | undefined
  /** Index of the current item, in an array. */
  index: number
  /** Path of the current member, in an object. */
  member: string
  expectsKey: boolean
}

/**
 * The paths of repeated members of objects, in order of the repeats, each once and at most 100.
 * `text` is valid JSON. Not recursive, because such bodies may be deeply nested. Source: reference
 * 1.13.
 */
export function duplicateFields(text: string): string[] {
  const scan = new DuplicateScan(text)
  return scan.run()
}

/** A key that already occurred in its object. */
export interface RepeatedKey {
  key: string
  /** Position of its opening quote. */
  start: number
  /** Position after its closing quote. */
  end: number
}

/** The repeated keys of a JSON document, in order. */
export function repeatedKeys(text: string): readonly RepeatedKey[] {
  const scan = new DuplicateScan(text)
  scan.run()
  return scan.repeats
}

class DuplicateScan {
  readonly #text: string
  readonly #levels: Level[] = []
  readonly #duplicates = new Set<string>()
  readonly repeats: RepeatedKey[] = []

  constructor(text: string) {
    this.#text = text
  }

  run(): string[] {
    for (let at = 0; at < this.#text.length; at++) {
      const char = this.#text.charAt(at)
      if (char === '"') {
        const end = stringEnd(this.#text, at)
        if (this.#levels.at(-1)?.expectsKey === true) this.#key(at, end + 1)
        at = end
      } else this.#sign(char)
    }
    return [...this.#duplicates]
  }

  #sign(char: string): void {
    if (char === '{' || char === '[') this.#open(char === '{')
    else if (char === '}' || char === ']') this.#levels.pop()
    else if (char === ',') this.#next()
  }

  #open(isObject: boolean): void {
    const path = childPath(this.#levels.at(-1))
    const keys = isObject ? new Set<string>() : undefined
    this.#levels.push({ path, keys, index: 0, member: '', expectsKey: isObject })
  }

  #next(): void {
    const level = this.#levels.at(-1)
    if (level === undefined) return
    level.index++
    level.expectsKey = level.keys !== undefined
  }

  #key(start: number, end: number): void {
    const level = this.#levels.at(-1)
    if (level?.keys === undefined) return
    const key = String(JSON.parse(this.#text.slice(start, end)))
    level.member = level.path === '' ? key : `${level.path}.${key}`
    level.expectsKey = false
    if (level.keys.has(key)) {
      this.repeats.push({ key, start, end })
      if (this.#duplicates.size < maxDuplicates) this.#duplicates.add(level.member)
    }
    level.keys.add(key)
  }
}

function childPath(level: Level | undefined): string {
  if (level === undefined) return ''
  return level.keys === undefined ? `${level.path}[${level.index}]` : level.member
}
