const context = 3

/**
 * Unified diff of two strings with one hunk, from the first to the last differing line; empty:
 * equal. The time is linear in their length, however much they differ.
 */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return ''
  const [a, b] = [before.split('\n'), after.split('\n')]
  const { first, atEnd } = equalEnds(a, b)
  const start = Math.max(0, first - context)
  const endOf = (lines: string[]) => Math.min(lines.length, lines.length - atEnd + context)
  const [kept, rest] = [a.slice(start, first), a.slice(a.length - atEnd, endOf(a))]
  const removed = a.slice(first, a.length - atEnd)
  const added = b.slice(first, b.length - atEnd)
  const lines = [
    `@@ -${range(start, endOf(a))} +${range(start, endOf(b))} @@`,
    ...kept.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...rest.map((line) => ` ${line}`),
  ]
  return `${lines.join('\n')}\n`
}

/** Number of equal lines before and after the change. Ambiguous lines belong to the longer part. */
function equalEnds(a: string[], b: string[]): { first: number; atEnd: number } {
  const longest = Math.min(a.length, b.length)
  const first = equalLines(a, b, (lines, index) => lines[index])
  const atEnd = equalLines(a, b, (lines, index) => lines.at(-1 - index))
  return first >= atEnd
    ? { first, atEnd: Math.min(atEnd, longest - first) }
    : { first: Math.min(first, longest - atEnd), atEnd }
}

function equalLines(
  a: string[],
  b: string[],
  line: (lines: string[], index: number) => string | undefined,
): number {
  const longest = Math.min(a.length, b.length)
  let count = 0
  while (count < longest && line(a, count) === line(b, count)) count++
  return count
}

function range(start: number, end: number): string {
  const length = end - start
  if (length === 1) return String(start + 1)
  return `${length === 0 ? start : start + 1},${length}`
}
