import { isObject } from '../../apiserver/meta/json/isObject.ts'
import { messageOf } from '../../apiserver/meta/messageOf.ts'
import { applyMergePatch } from '../../apiserver/patch/mergePatch.ts'
import type { PatchRule, ReferenceRule } from '../config/patchRule.ts'
import type { ExpressionRuntime, ExpressionScope } from '../expressions/expressionRuntime.ts'
import type { Markers } from '../names/markers.ts'
import { matchPath, type MatchOptions, type PathMatch } from '../paths/matchPath.ts'
import { parsePath, showPath } from '../paths/parsePath.ts'
import { replaceMatches } from '../paths/replaceMatches.ts'
import { patchLabels } from './patchLabels.ts'
import { patchReference } from './patchReference.ts'
import { PatchWork } from './patchWork.ts'
import type { References } from './references.ts'

export type Direction = 'toHost' | 'toVirtual'

/** Context for applying patches. */
export interface PatchPlace extends MatchOptions {
  direction: Direction
  runtime: ExpressionRuntime
  scope: ExpressionScope
  references: References
  marks: Markers
  /** The namespace of the object on the document's side. */
  namespace: string
  virtualNamespace: string
  /**
   * Handling of values of a patch that only has an expression for the other direction: 'keep' (default) leaves them
   * unchanged, 'drop' removes them from the document.
   */
  missingExpression?: 'keep' | 'drop'
  /** Called for every value removed by 'drop'. */
  onDrop?: (path: string[]) => void
  /** Called for every patch, including those without a match. */
  observe?: (applied: AppliedPatch) => void
}

/** The effect of one patch. */
export interface AppliedPatch {
  index: number
  patch: PatchRule
  /** Matched values; a result of null removed the field. */
  matches: { path: string; input: unknown; result: unknown }[]
}

/** A failed patch, named in the message. */
class PatchError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'PatchError'
  }
}

/**
 * Applies patches in order, each to the result of the previous one. The document is not changed. @throws PatchError.
 * Source: specification, patches[]; platform facts 6.3, 6.4.
 */
export async function applyPatches(
  document: Record<string, unknown>,
  patches: readonly PatchRule[],
  place: PatchPlace,
): Promise<Record<string, unknown>> {
  const work = new PatchWork()
  let patched = structuredClone(document)
  for (const [index, patch] of patches.entries()) {
    try {
      patched = await applyOne(patched, { index, patch }, { ...place, work })
      await work.rest()
    } catch (error) {
      const why = messageOf(error)
      throw new PatchError(`patches[${index}] at "${patch.path}": ${why}`, error)
    }
  }
  return patched
}

interface WorkPlace extends PatchPlace {
  work: PatchWork
}

async function applyOne(
  document: Record<string, unknown>,
  { index, patch }: { index: number; patch: PatchRule },
  place: WorkPlace,
): Promise<Record<string, unknown>> {
  const segments = parsePath(patch.path)
  const holder = { document }
  // The empty path matches the document itself, which gets a parent here like every match.
  const matches: PathMatch[] =
    segments.length === 0
      ? [{ parent: holder, key: 'document', path: [], value: document }]
      : matchPath(document, segments, place)
  place.work.match(matches.length)
  const inputs = observedInputs(matches, place)
  const results = await transform(patch, matches, place)
  if (results === undefined) {
    place.observe?.({ index, patch, matches: [] })
    return document
  }
  if (place.observe !== undefined) {
    place.work.observe(results)
    place.observe({ index, patch, matches: observed(matches, inputs, results) })
  }
  if (segments.length === 0) return mergedBack(document, results[0])
  replaceMatches(matches, results)
  return holder.document
}

const valueOf = ({ value }: PathMatch): unknown => value

function observedInputs(matches: readonly PathMatch[], { observe, work }: WorkPlace): unknown[] {
  if (observe === undefined) return []
  const values = matches.map(valueOf)
  work.observe(values)
  return structuredClone(values)
}

function observed(
  matches: readonly PathMatch[],
  inputs: readonly unknown[],
  results: readonly unknown[],
): AppliedPatch['matches'] {
  return matches.map(({ path }, at) => ({
    path: showPath(path),
    input: inputs[at],
    result: structuredClone(results[at] ?? null),
  }))
}

/** Results for the matches; undefined: the patch does not apply in this direction. */
async function transform(
  { expression, reverseExpression, reference, labels }: PatchRule,
  matches: readonly PathMatch[],
  place: WorkPlace,
): Promise<unknown[] | undefined> {
  const { direction, runtime, scope, marks, missingExpression } = place
  if (reference !== undefined) return references(reference, matches, place)
  if (labels !== undefined) {
    const { virtualCluster } = scope.naming
    return matches.map(({ value }) => patchLabels(value, { direction, virtualCluster, marks }))
  }
  const source = direction === 'toHost' ? expression : reverseExpression
  if (source === undefined) {
    if (missingExpression !== 'drop') return undefined
    return matches.map(({ path }) => {
      place.onDrop?.(path)
      return null
    })
  }
  if (matches.length === 0) return []
  const inputs = matches.map(({ value, path }) => ({ value, path: showPath(path) }))
  return runtime.evaluate(source, inputs, scope)
}

async function references(
  rule: ReferenceRule,
  matches: readonly PathMatch[],
  place: WorkPlace,
): Promise<unknown[]> {
  const results: unknown[] = []
  for (const { value } of matches) {
    results.push(await patchReference(value, rule, place))
    await place.work.rest()
  }
  return results
}

/** Merges a result for the whole object; null is ignored, since a patch must not remove the object. */
function mergedBack(document: Record<string, unknown>, result: unknown): Record<string, unknown> {
  if (result === null || result === undefined) return document
  if (!isObject(result)) throw new TypeError('the result for the whole object must be an object')
  const merged = applyMergePatch(document, result)
  return isObject(merged) ? merged : document
}
