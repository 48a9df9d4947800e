import { ownMember } from '../meta/json/plainMembers.ts'

/** The object or list that a JSON pointer leads into, and the name of what it points at. */
export interface Place {
  container: Container
  /** The member's name, the item's index as it stands in the pointer, or `-`. */
  key: string
}

export type Container = Record<string, unknown> | unknown[]

/** Where `pointer` leads in `root`; undefined when there is nothing on the way, and for the root itself, which lies
 *  in nothing. Only own members count.
 *  Source: RFC 6901, and the evanphx library for what the RFC leaves open. */
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

/** What stands at a place; undefined: nothing. */
export function valueAt({ container, key }: Place): unknown {
  if (Array.isArray(container)) {
    const index = itemIndex(key, container.length)
    return index === undefined ? undefined : container[index]
  }
  return ownMember(container, key)
}

/** The index of an item in a list of `length`: any decimal integer, below 0 from the end on (-1 is the last).
 *  Undefined: no index, or outside. */
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
