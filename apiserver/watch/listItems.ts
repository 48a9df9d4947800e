import type { Entry } from './entry.ts'
import { joinItems } from './objectFrame.ts'

const entriesPerPart = 64

/** The list items of some entries: buffers to be joined by commas, of a size that memory is taken and given back for
 *  without asking the system. `typeLength` bytes of each, its kind and apiVersion, are left out. */
export function listItems(entries: readonly Entry[], typeLength: number): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < entries.length || at === 0; at += entriesPerPart) {
    parts.push(joinEntries(entries.slice(at, at + entriesPerPart), typeLength))
  }
  return parts
}

/** All of them in one buffer. */
export function joinEntries(entries: readonly Entry[], typeLength: number): Buffer {
  const objects = entries.map(({ bytes }) => bytes)
  return joinItems(objects, typeLength)
}
