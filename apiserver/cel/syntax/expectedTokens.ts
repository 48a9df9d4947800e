/** Tokens that can start a value, and others, in the order of the grammar. */
export function expected(others: readonly string[]): string {
  const symbols = ['[', ']', '{', '}', '(', ')', '.', ',', '-', '!', '?', 'true', 'false', 'null']
  const isExpected = (text: string) => others.includes(text) || !/[\])},?]/.test(text)
  const quoted = symbols.filter(isExpected).map((text) => `'${text}'`)
  return `{${quoted.join(', ')}, NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}`
}
