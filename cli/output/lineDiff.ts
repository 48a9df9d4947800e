/** Unified diff of two texts, with three lines around each change; empty: equal. */
export function lineDiff(before: string, after: string): string {
  const changes = changesOf(before.split('\n'), after.split('\n'))
  const near = changes.map((_, index) =>
    changes.slice(Math.max(0, index - 3), index + 4).some(({ sign }) => sign !== ' '),
  )
  let text = ''
  changes.forEach(({ sign, line }, index) => {
    if (near[index] !== true) return
    if (index > 0 && near[index - 1] !== true) text += '@@\n'
    text += `${sign}${line}\n`
  })
  return text
}

interface Change {
  sign: ' ' | '-' | '+'
  line: string
}

/** Shortest list of kept, removed and added lines, by the longest common subsequence. */
function changesOf(a: readonly string[], b: readonly string[]): Change[] {
  const lengths = commonLengths(a, b)
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  const changes: Change[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && left === right) {
      changes.push({ sign: ' ', line: left })
      i++
      j++
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      changes.push({ sign: '-', line: left })
      i++
    } else {
      changes.push({ sign: '+', line: right ?? '' })
      j++
    }
  }
  return changes
}

function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () =>
    new Array<number>(b.length + 1).fill(0),
  )
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i] ?? []
    const below = lengths[i + 1] ?? []
    for (let j = b.length - 1; j >= 0; j--)
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
  }
  return lengths
}
