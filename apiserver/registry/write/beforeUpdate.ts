import { deepCopy } from '../../meta/json/plainMembers.ts'
import { formOf } from '../objectForm.ts'
import { jsonText } from '../../meta/json/exactJson.ts'
import type { FieldError } from '../../meta/fieldErrors.ts'
import { invalid } from '../../meta/statusErrors.ts'
import type { ApiObject, ObjectMeta } from '../../meta/types.ts'
import {
  allErrors,
  emptyStatus,
  fillSpec,
  keepOrder,
  refusesAtOnce,
  resetsStatus,
  toldOf,
  type SchemaCheck,
} from './beforeCreate.ts'
import {
  qualifiedFinalizerErrors,
  prefixErrors,
  validateMetadata,
  validateMetadataUpdate,
} from './metadataValidation.ts'
import { Correlated } from '../schema/correlated.ts'
import type { Steps } from '../../meta/waiting/steps.ts'
import { storedKind, type ResourceDefinition } from '../resource.ts'
import type { MetadataStrategy, NameRule, RequestContext, Strategy } from '../strategy.ts'

export interface UpdateStep {
  resource: ResourceDefinition
  /** The strategy of the resource, or of the written subresource. */
  strategy: Strategy
  checkSchema: SchemaCheck
  context: RequestContext
}

/**
 * Prepares and validates a client's object for its write: changes `next`, never `old`. The schema comes first, so that
 * hooks can rely on types; the generation last, after everything is canonical. Only rules of the kind take several steps.
 * @throws StatusError Invalid with a cause for each invalid field.
 */
export function* beforeUpdate(next: ApiObject, old: ApiObject, step: UpdateStep): Steps<void> {
  const { resource, strategy, checkSchema, context } = step
  const refuse = (errors: readonly FieldError[]): void => {
    if (errors.length === 0) return
    const told = toldOf(errors, resource.strategy, ({ isRun }) => isRun?.(next, old) ?? true)
    throw invalid(storedKind(resource), next.metadata.name ?? '', told)
  }
  keepParts(next, old, step)
  const { keepsUnchanged } = formOf(resource)
  const correlated = keepsUnchanged ? new Correlated(next, old, resource.schema) : undefined
  const schema = checkSchema(next, correlated)
  if (refusesAtOnce(schema, strategy)) refuse(schema)
  const isRaised = strategy.raisesGeneration?.(next, old) === true
  strategy.prepareForUpdate?.(next, old, context)
  const found = updateErrors(next, old, { ...step, schema })
  refuse(yield* allErrors(found, strategy, { next, old, context }))
  for (const text of strategy.warningsOnUpdate?.(next, old, context) ?? []) context.warn(text)
  strategy.canonicalize?.(next)
  keepOrder(next, resource, strategy)
  if (isRaised) next.metadata.generation = (old.metadata.generation ?? 0) + 1
  else if (strategy.resetsContent !== true) raiseGeneration(next, old, resource.strategy)
}

/** Keeps the parts of the stored object that the write may not change. */
function keepParts(next: ApiObject, old: ApiObject, { resource, strategy }: UpdateStep): void {
  keepSystemMetadata(next, old)
  fillSpec(next, resource)
  if (strategy === resource.strategy && resetsStatus(resource)) resetStatus(next, old, resource)
  if (strategy.resetsContent === true) resetContent(next, old)
}

function resetStatus(next: ApiObject, old: ApiObject, resource: ResourceDefinition): void {
  delete next['status']
  if (!formOf(resource).isComplete && old['status'] === undefined) return
  next['status'] = deepCopy(old['status'] ?? emptyStatus(resource))
}

const ownOfStatus = ['kind', 'apiVersion', 'metadata', 'status']

function resetContent(next: ApiObject, old: ApiObject): void {
  for (const field of Object.keys(next)) {
    if (!ownOfStatus.includes(field)) Reflect.deleteProperty(next, field)
  }
  for (const [field, value] of Object.entries(old)) {
    if (!ownOfStatus.includes(field)) next[field] = deepCopy(value)
  }
}

/**
 * Rule for `generateName` in an update. Some kinds and writes of a status validate it only on creation. Source: seen on
 * kube-apiserver 1.37.2.
 */
function nameRuleOf({ resource, strategy }: UpdateStep): NameRule {
  const { nameRule = 'subdomain', metadata: rules } = resource.strategy
  if (strategy !== resource.strategy) return strategy.nameRule ?? 'pathSegment'
  return rules?.namesOnCreate === true ? 'pathSegment' : nameRule
}

/**
 * Metadata errors that are reported again; a write of the status only repeats errors of changes. Malformed metadata is
 * an error in their place.
 */
function repeatsOf({
  resource,
  strategy,
  schema,
}: JudgedStep): MetadataStrategy['repeats'] | 'none' {
  if (schema.some(({ field }) => field === 'metadata')) return 'none'
  const repeats = resource.strategy.metadata?.repeats
  return repeats === 'all' && strategy !== resource.strategy ? 'changes' : repeats
}

/** Update with the errors of the schema. */
interface JudgedStep extends UpdateStep {
  schema: readonly FieldError[]
}

/** Metadata errors of an update: general errors, and errors by the name rule of the kind. */
interface MetadataErrors {
  general: FieldError[]
  named: FieldError[]
}

/**
 * Metadata errors in the order of the library: names as parts of paths, then changes, then names by the rules of the
 * kind. Source: seen on kube-apiserver 1.37.2.
 */
function metadataErrors(object: ApiObject, old: ObjectMeta, step: JudgedStep): MetadataErrors {
  const { metadata: next } = object
  const { namespaced, strategy } = step.resource
  const found = validateMetadata(next, { namespaced, nameRule: nameRuleOf(step) })
  const changes = validateMetadataUpdate(next, old)
  const repeats = repeatsOf(step)
  if (repeats !== undefined) {
    const named =
      repeats === 'all' ? [...(strategy.metadata?.nameErrors?.(object) ?? []), ...found] : []
    const again = repeats === 'none' ? [] : [...changes, ...named]
    return { general: [...found, ...changes, ...again], named: [] }
  }
  if (strategy.tellsErrorsOnce !== true)
    return { general: [...prefixErrors(next), ...found, ...changes], named: [] }
  const { generateName: _prefix, ...rest } = next
  const general = validateMetadata(rest, { namespaced, nameRule: 'pathSegment' })
  return { general: [...prefixErrors(next), ...general, ...changes], named: found }
}

function updateErrors(next: ApiObject, old: ApiObject, step: JudgedStep): FieldError[] {
  const { resource, strategy, context, schema } = step
  const { general, named } = metadataErrors(next, old.metadata, step)
  if (strategy.validateAfter !== undefined) {
    const metadata = [...general, ...named]
    return strategy.validateAfter({ metadata, schema }, next, old, context)
  }
  const { qualifiedFinalizers = resource.strategy.metadata?.qualifiedFinalizers } =
    strategy.metadata ?? {}
  const finalizers = qualifiedFinalizers === true ? qualifiedFinalizerErrors(next.metadata) : []
  const changes = strategy.validateChanges?.(next, old) ?? []
  const errors = strategy.validateUpdate?.(next, old, context) ?? []
  if (resource.strategy.metadata?.finalizersLast === true)
    return [...general, ...changes, ...named, ...finalizers, ...errors]
  return [...general, ...finalizers, ...changes, ...named, ...errors]
}

type SystemField =
  'generation' | 'creationTimestamp' | 'deletionTimestamp' | 'deletionGracePeriodSeconds'

function restore(next: ApiObject, old: ApiObject, field: SystemField): void {
  const value = old.metadata[field]
  delete next.metadata[field]
  if (value !== undefined) Object.assign(next.metadata, { [field]: value })
}

function keepSystemMetadata(next: ApiObject, old: ApiObject): void {
  if (next.metadata.uid === undefined && old.metadata.uid !== undefined)
    next.metadata.uid = old.metadata.uid
  restore(next, old, 'generation')
  restore(next, old, 'creationTimestamp')
  if (old.metadata.deletionTimestamp !== undefined) restore(next, old, 'deletionTimestamp')
  if (next.metadata.deletionGracePeriodSeconds === undefined)
    restore(next, old, 'deletionGracePeriodSeconds')
  delete next.metadata.selfLink
}

/** Increments the generation if the content changed; objects are canonical, so equal content has equal JSON. */
export function raiseGeneration(next: ApiObject, old: ApiObject, strategy: Strategy): void {
  if (strategy.generation === 'none' || strategy.generation === 'first') return
  const counted = strategy.generation === 'content' ? contentAndStatus : content
  const isSame =
    counted(next) === counted(old) &&
    (strategy.generation !== 'specAndAnnotations' ||
      JSON.stringify(next.metadata.annotations) === JSON.stringify(old.metadata.annotations)) &&
    (strategy.generation !== 'contentAndLabels' ||
      JSON.stringify(next.metadata.labels) === JSON.stringify(old.metadata.labels))
  if (!isSame) next.metadata.generation = (old.metadata.generation ?? 0) + 1
}

function content({
  kind: _kind,
  apiVersion: _version,
  metadata: _meta,
  status: _status,
  ...rest
}: ApiObject): string {
  return jsonText(rest)
}

function contentAndStatus({
  kind: _kind,
  apiVersion: _version,
  metadata: _meta,
  ...rest
}: ApiObject): string {
  return jsonText(rest)
}
