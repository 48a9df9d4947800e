import { isMap, isScalar, isSeq, parseDocument, type Document } from 'yaml'
import type { FieldPath } from '../api/fieldPath.ts'

/** Value of a YAML document; undefined: not a single object. */
export function valueOf(text: string): Record<string, unknown> | undefined {
  const document = parseDocument(text)
  if (document.errors.length > 0) return undefined
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    if (value === null || value === undefined) return {}
    // Sound: a map has string keys here.
    return isMap(document.contents) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/**
 * Sets one field of a YAML document, or removes it if the value is undefined. Comments, unknown
 * fields, the order, and the spelling of other values are preserved.
 */
export function withValue(text: string, path: FieldPath, value: unknown): string {
  return changed(text, (document) => {
    const steps = stepsIn(document, path)
    if (value === undefined) document.deleteIn(steps)
    else {
      const old = document.getIn(steps, true)
      // A scalar keeps its comment and, as a string, its style.
      if (isScalar(old) && typeof value !== 'object' && typeof value === typeof old.value)
        old.value = value
      else {
        makeParents(document, steps)
        document.setIn(steps, document.createNode(value))
      }
    }
  })
}

/** Renames a key in place. */
export function withKey(text: string, path: FieldPath, key: string): string {
  return changed(text, (document) => {
    const steps = stepsIn(document, path)
    const map = steps.length === 1 ? document.contents : document.getIn(steps.slice(0, -1), true)
    if (!isMap(map)) return
    const pair = map.items.find((each) => keyOf(each.key) === path.at(-1))
    if (pair !== undefined && !map.has(key)) pair.key = document.createNode(key)
  })
}

function changed(text: string, change: (document: Document) => void): string {
  const document = parseDocument(text)
  if (document.errors.length > 0) return text
  if (document.contents === null) document.contents = document.createNode({}) as never
  change(document)
  return document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] /.test(text) })
}

/**
 * Creates maps for parents that are null or absent; an empty map in braces is changed to block
 * style.
 */
function makeParents(document: Document, steps: readonly unknown[]): void {
  for (let length = 1; length < steps.length; length++) {
    const parent = steps.slice(0, length)
    const node = document.getIn(parent, true)
    if (!isMap(node) && !isSeq(node)) document.setIn(parent, document.createNode({}))
    const made = document.getIn(parent, true)
    if ((isMap(made) || isSeq(made)) && made.items.length === 0) made.flow = false
  }
}

/** Keys as in the document: a position is a number in a list, and a map may have the key 80 or true. */
function stepsIn(document: Document, path: FieldPath): unknown[] {
  let node: unknown = document.contents
  return path.map((step) => {
    if (isSeq(node)) {
      node = node.items[Number(step)]
      return Number(step)
    }
    if (!isMap(node)) return step
    const pair = node.items.find((each) => keyOf(each.key) === step)
    node = pair?.value
    return isScalar(pair?.key) ? pair.key.value : step
  })
}

function keyOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key)
}
