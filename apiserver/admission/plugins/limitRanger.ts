import type { Container, LimitRangeItem, PodSpec } from '../../apis/kubernetes/shapes/coreV1.ts'
import { aggregateText } from '../../meta/fieldErrors.ts'
import { asPod } from '../../apis/kubernetes/core/pod/podTypes.ts'
import { forbidden, requestEntityTooLarge } from '../../meta/statusErrors.ts'
import { inSteps, type Steps } from '../../meta/waiting/steps.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import { inTurns } from '../reviewTurns.ts'
import type { ApiObject } from '../../meta/types.ts'
import { groupResource } from '../../registry/resource.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import { quantitiesOf, noQuantities, type ResourceQuantities } from '../resourceQuantities.ts'
import { podQuantities } from '../podQuantities.ts'
import type { PlaneObjects } from '../planeObjects.ts'
import { maxRequestProblems, problemsOf } from './limitProblems.ts'
import { isTarget, podsCreated } from './podTarget.ts'

const claims = { group: '', plural: 'persistentvolumeclaims' }
const resize = { group: '', plural: 'pods', operations: ['UPDATE'], subresource: 'resize' } as const
const annotation = 'kubernetes.io/limit-ranger'

/** Sets the default requests and limits of the namespace, and refuses quantities outside its bounds. Source:
 *  Kubernetes, LimitRanger. */
export function limitRanger(objects: PlaneObjects): AdmissionPlugin {
  const ranges = objects.follow({ group: '', resource: 'limitranges' }, limitsOf)
  return {
    name: 'LimitRanger',
    handles: (target) =>
      isTarget(target, podsCreated) ||
      isTarget(target, resize) ||
      isTarget(target, { ...claims, operations: ['CREATE', 'UPDATE'] }),
    mutate: (request) => {
      const { object, resource, namespace } = request
      if (object === undefined || resource.plural !== 'pods') return
      const all = [...ranges.inNamespace(namespace)]
      return all.length === 0 ? undefined : inTurns(fillDefaults(object, all), request)
    },
    validate: (request) => {
      const { object, namespace } = request
      if (object === undefined) return
      const all = [...ranges.inNamespace(namespace)]
      return all.length === 0 ? undefined : inTurns(judge(object, all, request), request)
    },
  }
}

/** Refuses an object by the problems of the first range that has any. */
function* judge(
  object: ApiObject,
  ranges: readonly LimitRangeItem[][],
  { resource, name }: AdmissionRequest,
): Steps<void> {
  const isPod = resource.plural === 'pods'
  const pod = isPod ? yield* measured(asPod(object).spec) : undefined
  for (const limits of ranges) {
    const problems =
      pod === undefined ? claimProblems(object, limits) : yield* podProblems(pod, limits)
    if (problems.length === 0) continue
    throw forbidden(groupResource(resource), name, aggregateText(problems))
  }
}

function limitsOf(object: ApiObject): LimitRangeItem[] {
  const { limits } = (object['spec'] ?? {}) as { limits?: LimitRangeItem[] } // typed by its schema
  return limits ?? []
}

/** Maximum length of the names and values of the defaults of one pod, in characters: that of a request. */
const maxAddedLength = 3 * 1024 * 1024

interface Filling {
  /** Names that all containers have, since a range before set them. */
  known: Record<Side, Set<string>>
  addedLength: number
}

type Side = 'requests' | 'limits'

/**
 * Sets the defaults of each range, in steps of one container.
 * @throws StatusError 413 before the defaults exceed 3 MiB.
 */
function* fillDefaults(object: ApiObject, ranges: readonly LimitRangeItem[][]): Steps<void> {
  const filling: Filling = { known: { requests: new Set(), limits: new Set() }, addedLength: 0 }
  for (const limits of ranges) {
    const filled = yield* fillRange(asPod(object).spec, limits, filling)
    if (filled.length === 0) continue
    object.metadata.annotations = {
      ...object.metadata.annotations,
      [annotation]: `LimitRanger plugin set: ${filled.join('; ')}`,
    }
  }
}

function* fillRange(
  spec: PodSpec,
  limits: readonly LimitRangeItem[],
  filling: Filling,
): Steps<string[]> {
  const requests: Record<string, string> = {}
  const most: Record<string, string> = {}
  for (const limit of limits) {
    if (limit.type !== 'Container') continue
    Object.assign(requests, limit.defaultRequest)
    Object.assign(most, limit.default)
  }
  const defaults: Defaults[] = [
    ['requests', newOnes(requests, filling.known.requests)],
    ['limits', newOnes(most, filling.known.limits)],
  ]
  const filled: string[] = []
  for (const [containers, what] of [
    [spec.containers ?? [], 'container'],
    [spec.initContainers ?? [], 'init container'],
  ] as const) {
    for (const one of containers) {
      filled.push(...fill(one, defaults, { what, filling }))
      yield
    }
  }
  return filled
}

/** Defaults of one side, by name. */
type Defaults = readonly [side: Side, defaults: readonly (readonly [string, string])[]]

function newOnes(
  defaults: Readonly<Record<string, string>>,
  known: Set<string>,
): readonly (readonly [string, string])[] {
  const found = Object.entries(defaults).filter(([name]) => !known.has(name))
  for (const [name] of found) known.add(name)
  return found
}

/** Fills in defaults and describes them. */
function fill(
  container: Container,
  all: readonly Defaults[],
  { what, filling }: { what: string; filling: Filling },
): string[] {
  const resources = (container.resources ??= {})
  const words: string[] = []
  for (const [side, defaults] of all) {
    const own = resources[side] ?? {}
    const missing = defaults.filter(([name]) => own[name] === undefined)
    if (missing.length === 0) continue
    for (const [name, value] of missing) filling.addedLength += name.length + value.length
    if (filling.addedLength > maxAddedLength)
      throw requestEntityTooLarge(`defaults of limit ranges exceed ${maxAddedLength} characters`)
    resources[side] = { ...own, ...Object.fromEntries(missing) }
    const noun = side === 'requests' ? 'request' : 'limit'
    const names = missing.map(([name]) => name).sort()
    words.push(`${names.join(', ')} ${noun} for ${what} ${container.name ?? ''}`)
  }
  return words
}

/** Quantities of a pod, read once for all limits. */
interface MeasuredPod {
  whole: Record<Side, ResourceQuantities>
  containers: readonly Record<Side, ResourceQuantities>[]
}

function* measured(spec: PodSpec): Steps<MeasuredPod> {
  const all = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  const containers = yield* inSteps(all, ({ resources = {} }) => ({
    requests: quantitiesOf(resources.requests),
    limits: quantitiesOf(resources.limits),
  }))
  const whole = {
    requests: podQuantities(spec, 'requests'),
    limits: podQuantities(spec, 'limits'),
  }
  return { whole, containers }
}

/** Maximum number of problems in one refusal. */
const maxProblems = 1_000

function* podProblems(
  { whole, containers }: MeasuredPod,
  limits: readonly LimitRangeItem[],
): Steps<string[]> {
  const problems: string[] = []
  for (const limit of limits) {
    const judged = { Container: containers, Pod: [whole] }[limit.type ?? ''] ?? []
    for (const one of judged) {
      problems.push(...problemsOf(limit, one.requests, one.limits))
      if (problems.length >= maxProblems) return problems.slice(0, maxProblems)
      yield
    }
  }
  return problems
}

function claimProblems(object: ApiObject, limits: readonly LimitRangeItem[]): string[] {
  const { resources } = (object['spec'] ?? {}) as {
    resources?: { requests?: Record<string, string> }
  } // typed by its schema
  const requests = quantitiesOf(resources?.requests)
  return limits
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((limit) => [
      ...problemsOf(onlyMin(limit), requests, noQuantities),
      ...maxRequestProblems(limit, requests),
    ])
}

function onlyMin({ type = '', min = {} }: LimitRangeItem): LimitRangeItem {
  return { type, min }
}
