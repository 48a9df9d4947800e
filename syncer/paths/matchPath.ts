import { isObject } from '../../apiserver/meta/json/isObject.ts'
import type { PathSegment } from './parsePath.ts'

/** A location in a document that matches a path. */
export interface PathMatch {
  parent: Record<string, unknown> | unknown[]
  key: string
  /** The keys from the document to the location. */
  path: string[]
  /** Undefined: the key is missing, which only `absentKeys: 'visit'` allows. */
  value: unknown
}

export interface MatchOptions {
  /**
   * Handling of missing keys: with 'visit' a bracketed key at the end of a path matches a map without it. Default
   * 'skip': it does not match.
   */
  absentKeys?: 'skip' | 'visit'
}

/**
 * Every location that matches the path, in document order. Branches without a step are skipped. The empty path has no
 * location: it represents the document. Source: platform facts 6.3.
 */
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

/** Keys of a map except `__proto__`, since assigning to it would change the prototype. */
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
