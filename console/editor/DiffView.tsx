import { useMemo } from 'react'
import { lineDiff, type DiffLine } from './lineDiff.ts'

/** Unchanged lines shown around each change. */
const around = 3

/** Changes between two texts, as lines with signs, so that colors are not needed. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => shortened(lineDiff(before, after)), [before, after])
  if (before.trimEnd() === after.trimEnd()) return <p className="hint">Nothing changes.</p>
  return (
    <div className="diff" tabIndex={0} role="region" aria-label="Changes">
      <table>
        <tbody>
          {lines.map((line, at) =>
            line === undefined ? (
              <tr key={at} className="left-out">
                <td colSpan={4}>⋯</td>
              </tr>
            ) : (
              <tr key={at} className={line.kind}>
                <td className="line">{line.before}</td>
                <td className="line">{line.after}</td>
                <td>{signs[line.kind]}</td>
                <td>{line.text}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}

const signs = { same: ' ', added: '+', removed: '−' } as const

/** Lines near changes; undefined represents omitted lines. */
function shortened(lines: readonly DiffLine[]): (DiffLine | undefined)[] {
  const isShown = lines.map((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ kind }) => kind !== 'same'),
  )
  return lines.flatMap((line, at) => {
    if (isShown[at] === true) return [line]
    return at === 0 || isShown[at - 1] === true ? [undefined] : []
  })
}
