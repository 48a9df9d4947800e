const anyText = '…'

/**
 * First difference between the output on a page and the actual one; undefined: none. `…` represents
 * any text in a line, and alone on a line any number of lines. Repeated spaces count as one.
 */
export function outputDifference(shown: string, printed: string): string | undefined {
  const lines = normalized(shown)
  const got = normalized(printed)
  if (pattern(lines).test(`${got.join('\n')}\n`)) return undefined
  const at = lines.findIndex((line, index) => !lineMatches(line, got[index]))
  return [`line ${at + 1} differs`, '--- shown', ...lines, '--- printed', ...got].join('\n')
}

function normalized(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll(/(?<=\S)[ \t]+/g, ' ').trimEnd())
}

function lineMatches(shown: string, printed: string | undefined): boolean {
  return printed !== undefined && new RegExp(`^${linePattern(shown)}$`).test(printed)
}

function pattern(lines: readonly string[]): RegExp {
  const parts = lines.map((line) =>
    line.trim() === anyText ? '(?:.*\n)*' : `${linePattern(line)}\n`,
  )
  return new RegExp(`^${parts.join('')}$`)
}

function linePattern(line: string): string {
  return line
    .split(anyText)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*')
}
