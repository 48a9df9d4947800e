export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
  /** Line numbers, from 1; undefined on the side without the line. */
  before: number | undefined
  after: number | undefined
}

/** Largest product of differing lines for which the shortest difference is computed. */
const maxCells = 4_000_000

/** Line difference of two texts. Long texts that differ a lot are shown as replaced. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [a, b] = [before.trimEnd().split('\n'), after.trimEnd().split('\n')]
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (
    end < Math.min(a.length, b.length) - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  )
    end++
  const middle = pairs(a.slice(start, a.length - end), b.slice(start, b.length - end))
  const kinds = [
    ...Array<DiffLine['kind']>(start).fill('same'),
    ...middle,
    ...Array<DiffLine['kind']>(end).fill('same'),
  ]
  let [i, j] = [0, 0]
  return kinds.map((kind) => {
    const text = (kind === 'added' ? b[j] : a[i]) ?? ''
    const line: DiffLine = {
      kind,
      text,
      before: kind === 'added' ? undefined : ++i,
      after: kind === 'removed' ? undefined : ++j,
    }
    return line
  })
}

/** Steps from one list of lines to the other, by their longest common subsequence. */
function pairs(a: readonly string[], b: readonly string[]): DiffLine['kind'][] {
  const replaced = [
    ...Array<DiffLine['kind']>(a.length).fill('removed'),
    ...Array<DiffLine['kind']>(b.length).fill('added'),
  ]
  if (a.length * b.length > maxCells) return replaced
  const at = commonLengths(a, b)
  const kinds: DiffLine['kind'][] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      kinds.push('same')
      i++
      j++
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      kinds.push('removed')
      i++
    } else {
      kinds.push('added')
      j++
    }
  }
  return kinds
}

/**
 * Lengths of the longest common subsequences of the ends of two lists, starting at lines `i` and
 * `j`.
 */
function commonLengths(
  a: readonly string[],
  b: readonly string[],
): (i: number, j: number) => number {
  const width = b.length + 1
  const common = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  return at
}
