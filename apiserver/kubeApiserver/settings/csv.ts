/**
 * Fields of one row of comma-separated values; quoted fields may contain commas and doubled quotes. Source: RFC 4180.
 */
export function parseCsvRow(row: string): string[] {
  if (row === '') return []
  const fields: string[] = []
  let field = ''
  let isQuoted = false
  for (let at = 0; at < row.length; at++) {
    const char = row.charAt(at)
    if (isQuoted && char === '"' && row[at + 1] === '"') {
      field += '"'
      at++
    } else if (char === '"' && (isQuoted || field === '')) isQuoted = !isQuoted
    else if (char === ',' && !isQuoted) {
      fields.push(field)
      field = ''
    } else field += char
  }
  return [...fields, field]
}
