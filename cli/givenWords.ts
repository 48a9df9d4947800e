import type { FlagSpec } from './base/commandSpec.ts'
import { globalFlagsOf, outputFlag, projectFlag } from './base/globalFlags.ts'

/** Flags allowed before the command. */
const leadingFlags: readonly FlagSpec[] = [
  ...globalFlagsOf({ words: '', summary: '' }),
  outputFlag,
  projectFlag,
]

/**
 * Command line in the form of the parser: flags before the command are moved behind it, and `-v=6` becomes `-v6`;
 * kubectl accepts both.
 */
export function givenWords(given: readonly string[]): string[] {
  const words = given.map(withoutEquals)
  const count = leadingCount(words)
  const [flags, rest] = [words.slice(0, count), words.slice(count)]
  // Without a command, the flags stay in place.
  if (rest.length === 0) return words
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length
  return [...rest.slice(0, end), ...flags, ...rest.slice(end)]
}

function withoutEquals(word: string): string {
  return /^-[a-z]=/.test(word) ? word.slice(0, 2) + word.slice(3) : word
}

/** Number of words before the command. */
function leadingCount(words: readonly string[]): number {
  let count = 0
  for (;;) {
    const length = lengthOf(words[count] ?? '')
    if (length === 0) return Math.min(count, words.length)
    count += length
  }
}

/** Number of words of a leading flag; 0: not a flag. */
function lengthOf(word: string): number {
  const name = /^--[\w-]+|^-\w/.exec(word)?.[0]
  const spec = leadingFlags.find(({ flags }) => flags.split(/[ ,]+/).includes(name ?? ' '))
  if (spec === undefined) return 0
  // `--context=x` and `-v6` contain their value.
  return spec.flags.includes('<') && word === name ? 2 : 1
}
