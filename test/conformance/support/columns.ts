/**
 * Lines of a table with ` | ` between cells, and ages as `<age>`. Empty cells disappear: only
 * kubectl determines the width of columns.
 */
export function columns(table: string): string[] {
  const lines = table.trimEnd().split('\n')
  return lines.map((line) =>
    line
      .trim()
      .replaceAll(/ {2,}/g, ' | ')
      .replaceAll(/(?<=\| )(?:\d+[smhd])+(?= \||$)/g, '<age>'),
  )
}
