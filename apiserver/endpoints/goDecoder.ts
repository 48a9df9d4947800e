/** What the library's JSON decoder says of bodies. Source: reference 1.12; observed answers. */

/** Of a value that is of another type than the field of a Go struct (`DeleteOptions.dryRun`). */
export function wrongGoType(value: unknown, field: string, goType: string): string {
  const isRounded = typeof value === 'number' && goType === 'int64'
  const found = isRounded ? `number ${value}` : described(value)
  return `json: cannot unmarshal ${found} into Go struct field ${field} of type ${goType}`
}

/** Of a body of which not even the kind can be read. */
export function unreadableJson(why: string): string {
  return `couldn't get version/kind; json parse error: ${why}`
}

function described(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value
}
