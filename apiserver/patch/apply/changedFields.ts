import { leaf, nodeOf, union, type FieldSet, type Path } from './fieldSet.ts'

/** A field set as it is gathered, path by path in any order. */
export class ChangedFields {
  readonly #children = new Map<string, ChangedFields>()
  /** What was inserted here as a whole. */
  #node: FieldSet | undefined

  /** Adds the node of what stands at `path`; a leaf adds the path itself. The root belongs to no set. */
  insert(path: Path, node: FieldSet = leaf): void {
    const [first, ...rest] = path
    if (first === undefined) return
    let child = this.#children.get(first)
    if (child === undefined) this.#children.set(first, (child = new ChangedFields()))
    if (rest.length > 0) child.insert(rest, node)
    else child.#node = child.#node === undefined ? node : mergedNodes(child.#node, node)
  }

  toSet(): FieldSet {
    if (this.#children.size === 0) return leaf
    return nodeOf(
      [...this.#children].map(([element, child]) => [element, child.#toNode()]),
      false,
    )
  }

  #toNode(): FieldSet {
    const own = this.#node
    if (this.#children.size === 0) return own ?? leaf
    return own === undefined ? this.toSet() : mergedNodes(own, this.toSet())
  }
}

/** Both under one element, so that the rule for nodes and not that for roots holds. */
function mergedNodes(a: FieldSet, b: FieldSet): FieldSet {
  return union({ 'f:': a }, { 'f:': b })['f:'] ?? leaf
}
