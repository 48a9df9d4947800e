import { sortInPlace } from '../../../meta/collections/sortInPlace.ts'
import { leaf, union, type FieldSet, type Path } from './fieldSet.ts'
import { compareElements } from './pathElement.ts'

/** A field set under construction, from paths in any order. */
export class ChangedFields {
  #children: Map<string, ChangedFields> | undefined
  /** The node inserted here as a whole. */
  #node: FieldSet | undefined

  /** Adds the node of the value at `path`; a leaf adds the path itself. The root belongs to no set. */
  insert(path: Path, node: FieldSet = leaf): void {
    if (path.length > 0) this.#insert(path, 0, node)
  }

  #insert(path: Path, at: number, node: FieldSet): void {
    const element = path[at]
    if (element === undefined) {
      this.#node = this.#node === undefined ? node : mergedNodes(this.#node, node)
      return
    }
    const children = (this.#children ??= new Map<string, ChangedFields>())
    let child = children.get(element)
    if (child === undefined) children.set(element, (child = new ChangedFields()))
    child.#insert(path, at + 1, node)
  }

  toSet(): FieldSet {
    const children = this.#children
    if (children === undefined) return leaf
    const nodes: Record<string, FieldSet> = {}
    for (const element of sortInPlace([...children.keys()], compareElements)) {
      const child = children.get(element)
      if (child !== undefined) nodes[element] = child.#toNode()
    }
    return nodes
  }

  #toNode(): FieldSet {
    const own = this.#node
    if (this.#children === undefined) return own ?? leaf
    return own === undefined ? this.toSet() : mergedNodes(own, this.toSet())
  }
}

/**
 * Merges nodes below a common element, so that the rule for nodes applies rather than the rule for
 * roots.
 */
function mergedNodes(a: FieldSet, b: FieldSet): FieldSet {
  return union({ 'f:': a }, { 'f:': b })['f:'] ?? leaf
}
