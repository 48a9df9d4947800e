import { isObject } from '../../apiserver/meta/json/isObject.ts'
import type { PathSegment } from './parsePath.ts'

/** A place in a document that a path leads to. */
export interface PathMatch {
  parent: Record<string, unknown> | unknown[]
  key: string
  /** The keys from the document down to it. */
  path: string[]
  /** Undefined: the key is not there, which only `absentKeys: 'visit'` gives. */
  value: unknown
}

export interface MatchOptions {
  /** 'visit': a bracketed key at the end of a path matches where the map lacks it. Default 'skip': it does not. */
  absentKeys?: 'skip' | 'visit'
}

/** Every place the path leads to, in document order. Branches that lack a step yield nothing. A path without steps
 *  has no place: it means the document. Source: platform facts 6.3. */
export function matchPath(
  document: unknown,
  segments: readonly PathSegment[],
  { absentKeys = 'skip' }: MatchOptions = {},
): PathMatch[] {
  const last = segments.at(-1)
  let matches: PathMatch[] = []
  let parents: { value: unknown; path: string[] }[] = [{ value: document, path: [] }]
  for (const segment of segments) {
    const isAbsentVisited = segment === last && segment.bracketed && absentKeys === 'visit'
    matches = parents.flatMap((parent) => children(parent, segment, isAbsentVisited))
    parents = matches
  }
  return matches
}

function children(
  { value: parent, path }: { value: unknown; path: string[] },
  { text }: PathSegment,
  isAbsentVisited: boolean,
): PathMatch[] {
  if (Array.isArray(parent)) {
    return indexes(parent, text).map((key) => child(parent, key, path))
  }
  if (!isObject(parent)) return []
  if (text === '*') return keysOf(parent).map((key) => child(parent, key, path))
  const isThere = Object.hasOwn(parent, text) && text !== '__proto__'
  return isThere || (isAbsentVisited && text !== '__proto__') ? [child(parent, text, path)] : []
}

function indexes(list: readonly unknown[], text: string): string[] {
  if (text === '*') return list.map((_, index) => String(index))
  return /^\d{1,9}$/.test(text) && Number(text) < list.length ? [String(Number(text))] : []
}

/** Assigning to `__proto__` would change the prototype. */
function keysOf(map: Record<string, unknown>): string[] {
  return Object.keys(map).filter((key) => key !== '__proto__')
}

function child(parent: PathMatch['parent'], key: string, path: readonly string[]): PathMatch {
  const value = Array.isArray(parent)
    ? parent[Number(key)]
    : Object.hasOwn(parent, key)
      ? parent[key]
      : undefined
  return { parent, key, path: [...path, key], value }
}
