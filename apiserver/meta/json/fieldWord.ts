/**
 * Bytes that occur in every encoded object with a member `name`, for a search that avoids parsing most objects. The
 * quote before the name is omitted: a search stops at each occurrence of its first byte, and quotes are everywhere.
 * `value` is the beginning of the member's value.
 */
export function fieldWord(name: string, value = ''): Buffer {
  return Buffer.from(`${name}":${value}`)
}
