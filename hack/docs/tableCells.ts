/** Formats text as code for a cell of a Markdown table. */
export function codeCell(value: string): string {
  return `\`${value.replaceAll('|', '\\|')}\``
}

/** Formats text for a cell of a Markdown table. */
export function textCell(value: string): string {
  return value.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll(/\s+/g, ' ').trim()
}
