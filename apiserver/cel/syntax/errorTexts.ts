import { fromLibrary } from './dialect.ts'

type Words = readonly (readonly [RegExp, string])[]

/** What the library says of an expression, and what the API does. */
const compiling: Words = [
  [/^No such key/, 'no such key'],
  [/^(?:map|filter)\(.*\) invalid predicate.*/, 'argument is not an identifier'],
  [/^\w+\(.*\) invalid predicate.*/, 'argument must be a simple name'],
  [/^has\(\) invalid argument$/, 'invalid argument to has() macro'],
]

const evaluating: Words = [
  [/^No such key: index out of bounds, index (-?\d+).*/, 'index out of bounds: $1'],
  [/^No such key/, 'no such key'],
  [/^modulo by zero$/, 'modulus by zero'],
  [/^integer overflow: .*/, 'integer overflow'],
  [/^(int|double|bool)\(\) \w+ error.*/, "type conversion error from 'string' to '$1'"],
  [/^Invalid duration .*/, "type conversion error from 'string' to 'google.protobuf.Duration'"],
  [
    /^timestamp\(\) requires .*/,
    "type conversion error from 'string' to 'google.protobuf.Timestamp'",
  ],
  [/^Optional value is not present$/, 'optional.none() dereference'],
  [/^Expression of type 'int' cannot be .*/, "got 'types.Int', expected iterable type"],
  [/^Expression of type 'string' cannot be .*/, "got 'types.String', expected iterable type"],
  [/^(?:Ternary condition|Logical operator) .*/, 'no such overload'],
  [/^(?:no such|found no matching) overload.*/, 'no such overload'],
]

/** What is wrong with an expression. */
export function compilationWords(error: unknown): string {
  return wordsOf(error, compiling)
}

/** Why an expression could not be evaluated. */
export function evaluationWords(error: unknown): string {
  return wordsOf(error, evaluating)
}

/** Further lines show the place in the source. */
function wordsOf(error: unknown, words: Words): string {
  const text = error instanceof Error ? error.message : String(error)
  const line = fromLibrary(text.split('\n')[0] ?? '')
  const [pattern, told] = words.find(([one]) => one.test(line)) ?? []
  return pattern === undefined || told === undefined ? line : line.replace(pattern, told)
}
