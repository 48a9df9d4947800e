import type { ApiObject, ObjectMeta } from '../../apiserver/meta/types.ts'
import type { PatchRule } from '../config/patchRule.ts'
import type { SyncConfig } from '../config/syncConfig.ts'
import type { ExpressionRuntime } from '../expressions/expressionRuntime.ts'
import type { ObjectName } from '../names/naming.ts'
import {
  applyPatches,
  type AppliedPatch,
  type Direction,
  type PatchPlace,
} from '../patches/applyPatches.ts'
import type { References } from '../patches/references.ts'
import { copiedMetadata, withMarkers } from '../rules/hostMetadata.ts'
import type { KindRules, Translation } from '../rules/kindRules.ts'

/** The rules, patches and context for translating objects of a kind. */
export interface KindTranslation {
  rules: KindRules
  patches: readonly PatchRule[]
  translation: Translation
  config: SyncConfig
  runtime: ExpressionRuntime
  references: References
  missingExpression: 'keep' | 'drop'
  observe?: (applied: AppliedPatch) => void
}

/**
 * The host object for a virtual one without a copy.
 * @throws PatchError. Source: platform facts 6.4, 6.8.
 */
export async function hostDocument(
  virtual: ApiObject,
  place: ObjectName,
  kind: KindTranslation,
): Promise<ApiObject> {
  const { rules, patches, translation } = kind
  const { apiVersion, kind: kindName } = rules.resource
  const copied = {
    apiVersion,
    kind: kindName,
    metadata: { ...place, ...copiedMetadata(virtual, rules, translation) },
    ...rules.hostFields(virtual, translation),
  }
  const at = patchPlace('toHost', { virtual, host: undefined }, kind)
  const patched = await applyPatches(copied, patches, at)
  const { metadata, status: _, ...fields } = patched
  const host = { ...fields, apiVersion, kind: kindName, metadata: patchableMetadata(metadata) }
  return withMarkers(host, virtual, { place, rules, translation })
}

export function patchPlace(
  direction: Direction,
  { virtual, host }: { virtual: ApiObject; host: ApiObject | undefined },
  kind: KindTranslation,
): PatchPlace {
  const { translation, config, runtime, references, missingExpression, observe } = kind
  const virtualNamespace = virtual.metadata.namespace ?? ''
  return {
    direction,
    runtime,
    scope: {
      naming: translation.naming,
      config: config.document,
      hostObject: host ?? null,
      virtualObject: virtual,
    },
    references,
    marks: translation.marks,
    namespace: direction === 'toHost' ? virtualNamespace : (host?.metadata.namespace ?? ''),
    virtualNamespace,
    missingExpression,
    ...(observe === undefined ? {} : { observe }),
  }
}

const patchable = ['annotations', 'labels', 'finalizers'] as const

/**
 * Metadata that patches may set: the syncer decides name and namespace, the server the rest. Source: platform facts
 * 6.4.
 */
export function patchableMetadata(metadata: unknown): ObjectMeta {
  // A patch may have replaced it by anything; the API refuses invalid metadata.
  const given = (metadata ?? {}) as ObjectMeta
  return Object.fromEntries(
    patchable.flatMap((key) => (given[key] === undefined ? [] : [[key, given[key]]])),
  )
}
