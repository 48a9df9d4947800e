import type { Entry } from './cacheEntry.ts'
import { joinItems } from './objectFrame.ts'

const entriesPerPart = 64

/**
 * The list items of entries in buffers to be joined by commas, each small enough that memory is reused without system
 * calls. The first `typeLength` bytes of each, its kind and apiVersion, are omitted.
 */
export function listItems(entries: readonly Entry[], typeLength: number): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < entries.length || at === 0; at += entriesPerPart) {
    parts.push(joinEntries(entries.slice(at, at + entriesPerPart), typeLength))
  }
  return parts
}

/** The list items of entries in one buffer. */
export function joinEntries(entries: readonly Entry[], typeLength: number): Buffer {
  const objects = entries.map(({ bytes }) => bytes)
  return joinItems(objects, typeLength)
}
