/** Start of a body for messages: JSON unchanged, anything else in hex. Source: reference 1.12. */
export function bodySummary(body: Buffer): string {
  if (body.length === 0) return '<empty>'
  const start = body.subarray(0, 30).toString(body[0] === 0x7b ? 'utf8' : 'hex')
  return body.length > 30 ? `${start} ...` : start
}
