import { goQuote } from '../../../meta/goQuote.ts'

/**
 * Number of indexes in a set such as `1,3-5`, or the reason why it is invalid.
 * Source: Kubernetes API reference, `succeededIndexes`; observed answers.
 */
export function countIndexes(text: string, completions: number): number | string {
  let last: number | undefined
  let total = 0
  if (text === '') return total
  for (const part of text.split(',')) {
    const interval = readInterval(part, completions)
    if (typeof interval === 'string') return interval
    const [from, to] = interval
    if (last !== undefined && last >= from) return notRising(last, from)
    total += to - from + 1
    last = to
  }
  return total
}

function readInterval(text: string, completions: number): [number, number] | string {
  const limits = text.split('-')
  if (limits.length > 2) {
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`
  }
  const numbers: number[] = []
  for (const limit of limits) {
    if (!/^[-+]?\d+$/.test(limit))
      return `cannot convert string to integer for index: ${goQuote(limit)}`
    if (Number(limit) >= completions) return `too large index: ${goQuote(limit)}`
    numbers.push(Number(limit))
  }
  const [from = 0, to] = numbers
  if (to === undefined) return [from, from]
  return from >= to ? notRising(from, to) : [from, to]
}

function notRising(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`
}

/** First index common to both sets; undefined: none. Invalid parts of a set are ignored. */
export function commonIndex(one: string, other: string, completions: number): number | undefined {
  const read = (text: string) =>
    text.split(',').flatMap((part) => {
      const interval = readInterval(part, completions)
      return typeof interval === 'string' ? [] : [interval]
    })
  const others = read(other)
  for (const [from, to] of read(one)) {
    const found = others.find(([start, end]) => from <= end && start <= to)
    if (found !== undefined) return Math.max(from, found[0])
  }
  return undefined
}
