import { ownMember } from '../meta/json/plainMembers.ts'

/** The object or list that a JSON pointer leads to, and the key within it. */
export interface Place {
  container: Container
  /** The member's name, the item's index as written in the pointer, or `-`. */
  key: string
}

export type Container = Record<string, unknown> | unknown[]

/**
 * The location of `pointer` in `root`; undefined if a container is missing, and for the root itself. Only own members
 * count.
 * Source: RFC 6901, and the evanphx library for details that the RFC leaves open.
 */
export function findPlace(root: unknown, pointer: string): Place | undefined {
  const tokens = pointer.split('/').slice(1).map(unescape)
  const key = tokens.pop()
  if (key === undefined) return undefined
  let at = root
  for (const token of tokens) {
    if (!isContainer(at)) return undefined
    at = valueAt({ container: at, key: token })
  }
  return isContainer(at) ? { container: at, key } : undefined
}

/** Value at a location; undefined: absent. */
export function valueAt({ container, key }: Place): unknown {
  if (Array.isArray(container)) {
    const index = itemIndex(key, container.length)
    return index === undefined ? undefined : container[index]
  }
  return ownMember(container, key)
}

/**
 * The index of an item in a list of `length`: any decimal integer, negative ones from the end (-1 is the last).
 * Undefined: not an index, or out of range.
 */
export function itemIndex(key: string, length: number): number | undefined {
  if (!/^[-+]?[0-9]+$/.test(key)) return undefined
  const index = Number(key) < 0 ? Number(key) + length : Number(key)
  return index >= 0 && index < length ? index : undefined
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function unescape(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}
