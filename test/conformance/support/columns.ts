/** The lines of a table with ` | ` between the cells, and ages as `<age>`. Empty cells vanish: how
 *  wide a column is, kubectl alone decides. */
export function columns(table: string): string[] {
  const lines = table.trimEnd().split('\n')
  return lines.map((line) =>
    line
      .trim()
      .replaceAll(/ {2,}/g, ' | ')
      .replaceAll(/(?<=\| )(?:\d+[smhd])+(?= \||$)/g, '<age>'),
  )
}
