import { messageOf } from '../../apiserver/meta/messageOf.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { readSyncConfig, type SyncConfig } from '../config/syncConfig.ts'
import { hostDocument, type KindTranslation } from '../engine/hostDocument.ts'
import { hostReferenceName } from '../engine/hostReferenceName.ts'
import { checkExpressions } from '../expressions/checkExpressions.ts'
import type { ExpressionRuntime } from '../expressions/expressionRuntime.ts'
import { markers } from '../names/markers.ts'
import { isOwnApi, namingOf, type ObjectName } from '../names/naming.ts'
import type { AppliedPatch } from '../patches/applyPatches.ts'
import type { References } from '../patches/references.ts'
import { endpointsRules } from '../rules/endpointsRules.ts'
import type { KindRules, Translation } from '../rules/kindRules.ts'
import { servicesRules } from '../rules/servicesRules.ts'
import { readObject } from './readObject.ts'

export interface ExplainOptions {
  name: string
  hostNamespace: string
  domain: string
  runtime: ExpressionRuntime
  missingExpression?: 'keep' | 'drop'
}

/** Steps of the first sync of an object. Plain data, suitable for JSON and YAML. */
export interface SyncExplanation {
  /** Object, such as `Endpoints default/db`. */
  object: string
  /** Reason why the object is not synced. Absent: it is synced. */
  notSynced?: string | undefined
  patches?: { path: string; by: string; matches: AppliedPatch['matches'] }[]
  /** The error after the patches above. */
  error?: string
  /** The object as it would be created on the host. */
  host?: ApiObject
}

type ExplainedKind = KindRules & { section: 'endpoints' | 'services' }

const kinds: readonly ExplainedKind[] = [
  { ...endpointsRules, section: 'endpoints' },
  { ...servicesRules, section: 'services' },
]

/**
 * Applies a decoded configuration to a decoded object, without any plane: referenced objects count as existing, under
 * their translated names. @throws SyncConfigError; ObjectError.
 */
export async function explainSync(
  given: unknown,
  object: unknown,
  { name, hostNamespace, domain, runtime, missingExpression = 'keep' }: ExplainOptions,
): Promise<SyncExplanation> {
  const config = readSyncConfig(given)
  await checkExpressions(config, runtime)
  const virtual = readObject(object)
  const naming = namingOf({ virtualCluster: name, hostNamespace, namespaces: config.namespaces })
  const { name: own = '', namespace = '' } = virtual.metadata
  const title = `${virtual.kind} ${namespace}/${own}`
  const rules = kinds.find(({ resource }) => resource.kind === virtual.kind)
  const place = rules?.place({ name: own, namespace }, naming)
  const notSynced = whyNot(virtual, rules, config)
  if (rules === undefined || notSynced !== undefined) return { object: title, notSynced }
  if (place === undefined) {
    return { object: title, notSynced: `namespace ${namespace} is not mapped to the host` }
  }
  const translation: Translation = { naming, marks: markers(domain) }
  const { patches } = config[rules.section]
  const references = namesAlone(translation)
  const kind = { rules, patches, translation, config, runtime, references, missingExpression }
  return { object: title, ...(await translated(virtual, place, kind)) }
}

function whyNot(
  { apiVersion, kind, metadata }: ApiObject,
  rules: ExplainedKind | undefined,
  config: SyncConfig,
): string | undefined {
  if (rules?.resource.apiVersion !== apiVersion) {
    return `${kind} of ${apiVersion} is not synced: Services and Endpoints of v1 are`
  }
  const { name = '', namespace = '' } = metadata
  if (isOwnApi({ name, namespace })) return `${namespace}/${name} is the virtual cluster's own API`
  const { enabled } = config[rules.section]
  return enabled ? undefined : `sync.toHost.${rules.section}.enabled is false`
}

async function translated(
  virtual: ApiObject,
  place: ObjectName,
  kind: KindTranslation,
): Promise<Pick<SyncExplanation, 'patches' | 'host' | 'error'>> {
  const patches: NonNullable<SyncExplanation['patches']> = []
  const observe = ({ patch, matches }: AppliedPatch) =>
    void patches.push({ path: patch.path, by: byOf(patch), matches })
  try {
    return { patches, host: await hostDocument(virtual, place, { ...kind, observe }) }
  } catch (error) {
    return { patches, error: messageOf(error) }
  }
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
