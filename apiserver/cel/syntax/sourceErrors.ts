/** Problem at a position in an expression. */
export interface Problem {
  /** Offset in characters; undefined: the problem concerns the whole expression. */
  at: number | undefined
  text: string
}

/** Error for an expression that cannot be compiled. */
export class CompilationError extends Error {
  constructor(source: string, problems: readonly Problem[]) {
    super(`compilation failed: ${shownProblems(source, problems)}`)
  }
}

/**
 * Problems sorted by position, each with its line and a marker below it. Source: seen on
 * kube-apiserver 1.37.2.
 */
function shownProblems(source: string, problems: readonly Problem[]): string {
  const lines = source.split('\n')
  const placed = problems.map(({ at = 0, text }) => ({ ...placeOf(lines, at), text }))
  placed.sort((a, b) => a.line - b.line || a.column - b.column)
  return placed.map((one) => shown(lines, one)).join('\n')
}

interface Placed {
  line: number
  column: number
  text: string
}

function placeOf(lines: readonly string[], at: number): { line: number; column: number } {
  let left = at
  for (const [index, line] of lines.entries()) {
    const length = [...line].length
    if (left <= length) return { line: index + 1, column: left }
    left -= length + 1
  }
  return { line: lines.length, column: 0 }
}

function shown(lines: readonly string[], { line, column, text }: Placed): string {
  const snippet = (lines[line - 1] ?? '').replaceAll('\t', ' ')
  const before = [...snippet].slice(0, column)
  const marked = [...snippet][column]
  const dots = before.map((one) => (isWide(one) ? '．' : '.')).join('')
  const mark = marked !== undefined && isWide(marked) ? '＾' : '^'
  return `ERROR: <input>:${line}:${column + 1}: ${text}\n | ${snippet}\n | ${dots}${mark}`
}

function isWide(character: string): boolean {
  return Buffer.byteLength(character) > 1
}
