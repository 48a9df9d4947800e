import type { FlagSpec } from './base/commandSpec.ts'
import { globalFlagsOf, outputFlag, projectFlag } from './base/globalFlags.ts'

/** Flags that may come before the command. */
const leadingFlags: readonly FlagSpec[] = [
  ...globalFlagsOf({ words: '', summary: '' }),
  outputFlag,
  projectFlag,
]

/** A command line as the parser takes it: flags before the command follow it, and `-v=6` is `-v6`, as kubectl takes both. */
export function givenWords(given: readonly string[]): string[] {
  const words = given.map(withoutEquals)
  const count = leadingCount(words)
  const [flags, rest] = [words.slice(0, count), words.slice(count)]
  // Without a command they stay where they are.
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

/** Number of words of a flag that may come first; 0: the word is none. */
function lengthOf(word: string): number {
  const name = /^--[\w-]+|^-\w/.exec(word)?.[0]
  const spec = leadingFlags.find(({ flags }) => flags.split(/[ ,]+/).includes(name ?? ' '))
  if (spec === undefined) return 0
  // `--context=x` and `-v6` hold their value.
  return spec.flags.includes('<') && word === name ? 2 : 1
}
