import { remembered } from './collections/memory.ts'

const pattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/**
 * Parses a time like Go, into milliseconds since the epoch; undefined: invalid. A day that does not exist in its month,
 * the hour 24 and a leap second are invalid, although the runtime accepts some of them as a later time.
 * Source: RFC 3339; Go, time.Parse.
 */
export const readMoment = remembered(read)

function read(text: string): number | undefined {
  const [, wall] = pattern.exec(text) ?? []
  const at = Date.parse(text)
  if (wall === undefined || Number.isNaN(at)) return undefined
  return new Date(`${wall}Z`).toISOString().startsWith(wall) ? at : undefined
}
