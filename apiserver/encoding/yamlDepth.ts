import type { CST } from 'yaml'
import { exceededDepth } from '../meta/json/deepContent.ts'
import { badRequest } from '../meta/statusErrors.ts'
import { maxDepth } from './jsonShape.ts'

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection

/**
 * Replaces tokens of a document deeper than `levels` by empty scalars, without recursion. Returns their offsets with
 * their brackets.
 * @throws StatusError 400 for more than `maxDepth` levels, and for invalid YAML in the replaced part.
 */
export function cutDeepTokens(document: CST.Document, levels: number): Map<number, '[' | '{'> {
  const cut = new Map<number, '[' | '{'>()
  let level = isCollection(document.value) ? [document.value] : []
  for (let depth = 1; level.length > 0; depth++) {
    const next: Collection[] = []
    for (const collection of level) {
      if (depth > maxDepth) throw exceededDepth(bracketOf(collection))
      for (const item of collection.items) next.push(...innerOf(item, depth, { levels, cut }))
    }
    level = next
  }
  return cut
}

interface Cutting {
  levels: number
  cut: Map<number, '[' | '{'>
}

type Item = Collection['items'][number]

function innerOf(item: Item, depth: number, { levels, cut }: Cutting): Collection[] {
  const found: Collection[] = []
  for (const field of ['key', 'value'] as const) {
    const token = item[field]
    if (depth > levels && token?.type === 'error') throw badRequest(`yaml: ${token.message}`)
    if (!isCollection(token)) continue
    found.push(token)
    if (depth !== levels) continue
    const { offset, indent } = token
    cut.set(offset, bracketOf(token))
    // Sound: both fields are tokens of any kind, which the types of single items narrow.
    Object.assign(item, { [field]: { type: 'scalar', offset, indent, source: '' } })
  }
  return found
}

function isCollection(token: CST.Token | null | undefined): token is Collection {
  return token !== null && token !== undefined && 'items' in token
}

function bracketOf(collection: Collection): '[' | '{' {
  if (collection.type !== 'flow-collection') return collection.type === 'block-map' ? '{' : '['
  return collection.start.type === 'flow-map-start' ? '{' : '['
}
