/** Text as code in a cell of a Markdown table. */
export function codeCell(value: string): string {
  return `\`${value.replaceAll('|', '\\|')}\``
}

/** Text in a cell of a Markdown table. */
export function textCell(value: string): string {
  return value.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll(/\s+/g, ' ').trim()
}
