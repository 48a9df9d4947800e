import { sortInPlace } from '../../../meta/collections/sortInPlace.ts'
import { compareElements } from './pathElement.ts'

/**
 * A set of fields in the form of fieldsV1: a tree of ordered path elements. A node without children is a member of the
 * set; one with children is a member if it has the key `.`. The root represents nothing, so `{}` is the empty set. Sets
 * are immutable: operations return new ones and share unchanged parts.
 * Source: structured-merge-diff, "Set"; Kubernetes API reference, FieldsV1.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet
}

export type Path = readonly string[]

/** A member without children. As a root: the empty set. */
export const leaf: FieldSet = Object.freeze({})

type Nodes = Record<string, FieldSet>

export function fieldSetOf(...paths: readonly Path[]): FieldSet {
  return paths.reduce((set, path) => {
    const node = path.reduceRight<FieldSet>((child, element) => ({ [element]: child }), leaf)
    return union(set, node)
  }, leaf)
}

export function isEmpty(set: FieldSet): boolean {
  for (const element in set) if (element !== '.') return false
  return true
}

export function isMember(node: FieldSet): boolean {
  return '.' in node || isEmpty(node)
}

/** The elements below a node. */
export function elementsOf(node: FieldSet): string[] {
  return Object.keys(node).filter((element) => element !== '.')
}

export function has(set: FieldSet, path: Path): boolean {
  let node: FieldSet | undefined = set
  for (const element of path) node = node?.[element]
  return path.length > 0 && node !== undefined && isMember(node)
}

/** The nodes below an element; the empty set if there are none. */
export function below(set: FieldSet, element: string): FieldSet {
  return set[element] ?? leaf
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(b) || a === b) return a
  return isEmpty(a) ? b : joined(a, b, false)
}

function joined(a: FieldSet, b: FieldSet, isJoinedMember: boolean): FieldSet {
  const nodes: Nodes = isJoinedMember ? { '.': leaf } : {}
  for (const element of mergedElements(a, b)) {
    const [left, right] = [a[element], b[element]]
    nodes[element] = left === undefined ? (right ?? leaf) : joinedNode(left, right)
  }
  return nodes
}

function joinedNode(a: FieldSet, b: FieldSet | undefined): FieldSet {
  if (b === undefined || a === b) return a
  const isBoth = isMember(a) || isMember(b)
  return isEmpty(a) && isEmpty(b) ? leaf : joined(a, b, isBoth)
}

/** Merges the sorted elements of both. */
function mergedElements(a: FieldSet, b: FieldSet): string[] {
  const left = elementsOf(a)
  const added = elementsOf(b).filter((element) => !(element in a))
  if (added.length === 0) return left
  const result: string[] = []
  let next = 0
  for (const element of left) {
    for (; next < added.length; next++) {
      const candidate = added[next]
      if (candidate === undefined || compareElements(candidate, element) > 0) break
      result.push(candidate)
    }
    result.push(element)
  }
  return [...result, ...added.slice(next)]
}

/** Reports whether the sets have a member in common. */
export function overlaps(a: FieldSet, b: FieldSet): boolean {
  for (const element in b) {
    const [left, right] = [a[element], b[element]]
    if (element === '.' || left === undefined || right === undefined) continue
    if ((isMember(left) && isMember(right)) || overlaps(left, right)) return true
  }
  return false
}

/** The members of `from` that are not in `removed`. Members below a removed one are kept. */
export function difference(from: FieldSet, removed: FieldSet): FieldSet {
  if (!overlaps(from, removed)) return from
  return rebuilt(from, false, (node, element) => {
    const other = removed[element]
    return other === undefined ? node : differenceNode(node, other)
  })
}

function differenceNode(node: FieldSet, removed: FieldSet): FieldSet | undefined {
  const staysMember = isMember(node) && !isMember(removed)
  const below = rebuilt(node, staysMember, (child, element) => {
    const other = removed[element]
    return other === undefined ? child : differenceNode(child, other)
  })
  return isEmpty(below) && !staysMember ? undefined : below
}

/** Like difference(), but members below a removed one are removed too. */
export function recursiveDifference(from: FieldSet, removed: FieldSet): FieldSet {
  return rebuilt(from, false, (node, element) => {
    const other = removed[element]
    if (other === undefined) return node
    if (isMember(other)) return undefined
    const isKept = isMember(node)
    const below = rebuilt(recursiveDifference(node, other), isKept, (child) => child)
    return isEmpty(below) && !isKept ? undefined : below
  })
}

/** The members of both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return rebuilt(a, false, (node, element) => {
    const other = b[element]
    if (other === undefined) return undefined
    const isBoth = isMember(node) && isMember(other)
    const below = rebuilt(intersection(node, other), isBoth, (child) => child)
    return isEmpty(below) && !isBoth ? undefined : below
  })
}

/** The members in `pattern` or below a leaf of it; `*` in the pattern matches every other element. */
export function included(set: FieldSet, pattern: FieldSet): FieldSet {
  return rebuilt(set, false, (node, element) => {
    const below = pattern[element] ?? pattern['*']
    if (below === undefined || isEmpty(below)) return below === undefined ? undefined : node
    const isKept = isMember(node)
    const children = rebuilt(included(node, below), isKept, (child) => child)
    return isEmpty(children) && !isKept ? undefined : children
  })
}

/** A node with each child replaced; undefined omits it. */
function rebuilt(
  node: FieldSet,
  isMemberNow: boolean,
  replace: (child: FieldSet, element: string) => FieldSet | undefined,
): FieldSet {
  const nodes: Nodes = isMemberNow ? { '.': leaf } : {}
  let count = 0
  for (const element in node) {
    const child = node[element]
    if (element === '.' || child === undefined) continue
    const next = replace(child, element)
    if (next === undefined) continue
    nodes[element] = next
    count++
  }
  return count === 0 ? leaf : nodes
}

/** Creates a node from its children, in any order. */
export function nodeOf(children: ReadonlyMap<string, FieldSet>, isMemberToo: boolean): FieldSet {
  if (children.size === 0) return leaf
  const nodes: Nodes = isMemberToo ? { '.': leaf } : {}
  for (const element of sortInPlace([...children.keys()], compareElements)) {
    nodes[element] = children.get(element) ?? leaf
  }
  return nodes
}

export function sameSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true
  const elements = Object.keys(a)
  if (elements.length !== Object.keys(b).length) return false
  return elements.every((element) => {
    const [left, right] = [a[element], b[element]]
    return left !== undefined && right !== undefined && sameSets(left, right)
  })
}

/**
 * Paths of the members: at each node first the node's own members, in order, then members below.
 */
export function pathsOf(set: FieldSet, prefix: Path = []): Path[] {
  const nodes = Object.entries(set).filter(([element]) => element !== '.')
  const own = nodes.filter(([, node]) => isMember(node)).map(([element]) => [...prefix, element])
  return [...own, ...nodes.flatMap(([element, node]) => pathsOf(node, [...prefix, element]))]
}
