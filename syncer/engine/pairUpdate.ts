import { isObject } from '../../apiserver/meta/json/isObject.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { hostLabels, ownHostLabels } from '../names/labels.ts'
import { virtualLabelKey } from '../names/markers.ts'
import { applyPatches, type Direction } from '../patches/applyPatches.ts'
import { copiedAnnotations, readCopiedKeys, withMarkers } from '../rules/hostMetadata.ts'
import type { Pair } from '../rules/kindRules.ts'
import { joinChanges, mapChanges, withChanges, type Changes } from './changes.ts'
import {
  hostDocument,
  patchableMetadata,
  patchPlace,
  type KindTranslation,
} from './hostDocument.ts'
import { threeWay, type Exchange } from './threeWay.ts'

/** The target state of the two objects of a pair. */
export interface PairUpdate {
  virtual: ApiObject
  host: ApiObject
  /** The last agreed state with the changes for the virtual side applied: valid once that side is written. */
  halfway: Pair['base']
}

const annotationsPath = ['metadata', 'annotations']
const labelsPath = ['metadata', 'labels']

/**
 * Copies changes of each side to the other, with patches applied.
 * @throws PatchError. Source: platform facts 6.4, 6.9.
 */
export async function updatePair(pair: Pair, kind: KindTranslation): Promise<PairUpdate> {
  const { rules, translation } = kind
  const fields = rules.fieldChanges(pair, translation)
  const labels = labelExchange(pair, kind)
  const annotations = await withoutPatchMade(annotationExchange(pair, kind), pair, kind)
  const toHost = joinChanges(
    mapChanges(labelsPath, labels.toHost),
    mapChanges(annotationsPath, annotations.toHost),
    fields.toHost,
  )
  const seenOnHost = joinChanges(
    mapChanges(labelsPath, labels.toVirtual),
    mapChanges(annotationsPath, annotations.toVirtual),
    fields.toVirtual,
  )
  const toVirtual = joinChanges(
    mapChanges(labelsPath, withVirtualKeys(labels.toVirtual, kind)),
    mapChanges(annotationsPath, annotations.toVirtual),
    fields.toVirtual,
  )
  // The virtual side first: its copied keys are then listed on the host.
  const virtualChanges = await patched('toVirtual', toVirtual, { pair, kind })
  const hostChanges = await patched('toHost', toHost, { pair, kind })
  const virtual = withChanges(pair.virtual, virtualChanges)
  const place = {
    name: pair.host.metadata.name ?? '',
    namespace: pair.host.metadata.namespace ?? '',
  }
  const host = withMarkers(withChanges(pair.host, hostChanges), virtual, {
    place,
    rules,
    translation,
  })
  const halfway = pair.base && {
    virtual: withChanges(pair.base.virtual, virtualChanges),
    host: withChanges(pair.base.host, seenOnHost),
  }
  return { virtual, host, halfway }
}

function annotationExchange({ virtual, host, base }: Pair, kind: KindTranslation): Exchange {
  const { rules, translation } = kind
  const of = (object: ApiObject) => copiedAnnotations(object, rules, translation.marks)
  const last = base && { virtual: of(base.virtual), host: of(base.host) }
  const copied = readCopiedKeys(host, translation.marks.managedAnnotations)
  return threeWay({ virtual: of(virtual), host: of(host) }, last, { copied, isSame: Object.is })
}

/** Changes of labels, with the keys of the host. */
function labelExchange({ virtual, host, base }: Pair, { translation }: KindTranslation): Exchange {
  const { marks, naming } = translation
  const ofVirtual = ({ metadata }: ApiObject) =>
    hostLabels(metadata.labels ?? {}, naming.virtualCluster, marks)
  const ofHost = ({ metadata }: ApiObject) => ownHostLabels(metadata.labels ?? {}, marks)
  const last = base && { virtual: ofVirtual(base.virtual), host: ofHost(base.host) }
  const copied = readCopiedKeys(host, marks.managedLabels)
  return threeWay({ virtual: ofVirtual(virtual), host: ofHost(host) }, last, {
    copied,
    isSame: Object.is,
  })
}

function withVirtualKeys(
  labels: Readonly<Record<string, unknown>>,
  { translation }: KindTranslation,
): Record<string, unknown> {
  const { naming, marks } = translation
  return Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [
      virtualLabelKey(key, naming.virtualCluster, marks),
      value,
    ]),
  )
}

/**
 * Removes annotations that patches created: after a restart they look like manual ones on the host. Translating the
 * copy again identifies them.
 */
async function withoutPatchMade(
  exchange: Exchange,
  { virtual, host, base }: Pair,
  kind: KindTranslation,
): Promise<Exchange> {
  const isClear = base !== undefined || kind.patches.length === 0
  if (isClear || Object.keys(exchange.toVirtual).length === 0) return exchange
  const { name = '', namespace = '' } = host.metadata
  const made = await hostDocument(virtual, { name, namespace }, kind)
  const ours = made.metadata.annotations ?? {}
  const others = Object.entries(exchange.toVirtual).filter(([key]) => !Object.hasOwn(ours, key))
  return { ...exchange, toVirtual: Object.fromEntries(others) }
}

/** Applies patches to changes. Keys that a patch removed from them are removed. */
async function patched(
  direction: Direction,
  changes: Changes,
  { pair, kind }: { pair: Pair; kind: KindTranslation },
): Promise<Changes> {
  const { set, remove } = changes
  if (Object.keys(set).length === 0) return changes
  const dropped = new Set<string>()
  const result = await applyPatches(set, kind.patches, {
    ...patchPlace(direction, pair, kind),
    onDrop: (path) => void dropped.add(path.join('\0')),
  })
  const gone = missingPaths(set, result).filter((path) => !dropped.has(path.join('\0')))
  return { set: onlyPatchable(result, direction, kind), remove: [...remove, ...gone] }
}

function missingPaths(before: Record<string, unknown>, after: Record<string, unknown>): string[][] {
  return Object.entries(before).flatMap(([key, value]) => {
    if (!Object.hasOwn(after, key)) return [[key]]
    const left = after[key]
    if (!isObject(value) || !isObject(left)) return []
    return missingPaths(value, left).map((path) => [key, ...path])
  })
}

/** Drops changes that patches must not make: an object's identity, and the syncer's markers in a virtual object. */
function onlyPatchable(
  document: Record<string, unknown>,
  direction: Direction,
  { translation }: KindTranslation,
): Record<string, unknown> {
  const { metadata, apiVersion: _, kind: _kind, status: _status, ...fields } = document
  if (metadata === undefined) return fields
  const kept = patchableMetadata(metadata)
  if (direction === 'toHost') return { ...fields, metadata: kept }
  return { ...fields, metadata: withoutKeys(kept, translation.marks.prefix) }
}

function withoutKeys(metadata: object, prefix: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(metadata).map(([field, value]: [string, unknown]) => [
      field,
      isObject(value)
        ? Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith(prefix)))
        : value,
    ]),
  )
}
