import type { ApiObject } from '../../apiserver/meta/types.ts'
import { readSyncConfig } from '../config/syncConfig.ts'
import { hostDocument } from '../engine/hostDocument.ts'
import { hostReferenceName } from '../engine/referenceSync.ts'
import type { ExpressionRuntime } from '../expressions/expressionRuntime.ts'
import { markers } from '../names/markers.ts'
import { namingOf } from '../names/naming.ts'
import type { AppliedPatch } from '../patches/applyPatches.ts'
import type { References } from '../patches/references.ts'
import { endpointsRules } from '../rules/endpointsRules.ts'
import type { KindRules, Translation } from '../rules/kindRules.ts'
import { servicesRules } from '../rules/servicesRules.ts'

export interface ExplainOptions {
  name: string
  hostNamespace: string
  domain: string
  runtime: ExpressionRuntime
  missingExpression?: 'keep' | 'drop'
}

/** What syncing an object for the first time would do, step by step. Plain data, fit for JSON and YAML. */
export interface SyncExplanation {
  /** `Endpoints default/db`. */
  object: string
  /** Absent: it is synced. */
  notSynced?: string
  patches?: { path: string; by: string; matches: AppliedPatch['matches'] }[]
  /** Why it stopped, after the patches above. */
  error?: string
  /** The object as it would be created on the host. */
  host?: ApiObject
}

const kinds: readonly (KindRules & { section: 'endpoints' | 'services' })[] = [
  { ...endpointsRules, section: 'endpoints' },
  { ...servicesRules, section: 'services' },
]

/** Tries a configuration on an object, without any plane: referenced objects count as there, under the names that they
 *  would have. @throws SyncConfigError. */
export async function explainSync(
  given: unknown,
  object: ApiObject,
  { name, hostNamespace, domain, runtime, missingExpression = 'keep' }: ExplainOptions,
): Promise<SyncExplanation> {
  const config = readSyncConfig(given)
  const naming = namingOf({ virtualCluster: name, hostNamespace, namespaces: config.namespaces })
  const virtual = withNamespace(object)
  const title = `${virtual.kind} ${virtual.metadata.namespace}/${virtual.metadata.name}`
  const rules = kinds.find(({ resource }) => resource.kind === virtual.kind)
  const refused = (why: string): SyncExplanation => ({ object: title, notSynced: why })
  if (rules === undefined) return refused('only Services and Endpoints are synced')
  const { enabled, patches } = config[rules.section]
  if (!enabled) return refused(`sync.toHost.${rules.section}.enabled is false`)
  const { name: own = '', namespace = '' } = virtual.metadata
  const place = rules.place({ name: own, namespace }, naming)
  if (place === undefined) return refused(`namespace ${namespace} is not mapped to the host`)
  const translation: Translation = { naming, marks: markers(domain) }
  const applied: NonNullable<SyncExplanation['patches']> = []
  const observe = ({ patch, matches }: AppliedPatch) =>
    void applied.push({ path: patch.path, by: byOf(patch), matches })
  const references = namesAlone(translation)
  const kind = {
    rules,
    patches,
    translation,
    config,
    runtime,
    references,
    missingExpression,
    observe,
  }
  try {
    const host = await hostDocument(virtual, place, kind)
    return { object: title, patches: applied, host }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { object: title, patches: applied, error: why }
  }
}

function withNamespace(object: ApiObject): ApiObject {
  return { ...object, metadata: { namespace: 'default', ...object.metadata } }
}

function byOf({ expression, reference, labels }: AppliedPatch['patch']): string {
  if (reference !== undefined) return `reference to ${reference.apiVersion} ${reference.kind}`
  if (labels !== undefined) return 'labels'
  return expression ?? 'reverseExpression alone: nothing on the way to the host'
}

function namesAlone({ naming }: Translation): References {
  return {
    toHost: (reference) => Promise.resolve(hostReferenceName(reference, naming)),
    toVirtual: () => Promise.resolve(undefined),
  }
}
