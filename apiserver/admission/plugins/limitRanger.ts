import { aggregateText } from '../../meta/fieldErrors.ts'
import { asPod, type Container, type PodSpec } from '../../apis/kubernetes/core/pod/podTypes.ts'
import type { Limit } from '../../apis/kubernetes/core/quota/limitRules.ts'
import { forbidden } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { groupResource } from '../../registry/resource.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import { quantitiesOf, noQuantities } from '../resourceQuantities.ts'
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
    mutate: ({ object, resource, namespace }) => {
      if (object === undefined || resource.plural !== 'pods') return
      for (const limits of ranges.inNamespace(namespace)) fillDefaults(object, limits)
    },
    validate: ({ object, resource, namespace, name }) => {
      if (object === undefined) return
      const isPod = resource.plural === 'pods'
      for (const limits of ranges.inNamespace(namespace)) {
        const problems = isPod ? podProblems(object, limits) : claimProblems(object, limits)
        if (problems.length === 0) continue
        throw forbidden(groupResource(resource), name, aggregateText(problems))
      }
    },
  }
}

function limitsOf(object: ApiObject): Limit[] {
  const { limits } = (object['spec'] ?? {}) as { limits?: Limit[] } // typed by its schema
  return limits ?? []
}

function fillDefaults(object: ApiObject, limits: readonly Limit[]): void {
  const spec = asPod(object).spec
  const defaults = limits.filter(({ type }) => type === 'Container')
  const requests: Record<string, string> = {}
  const most: Record<string, string> = {}
  for (const limit of defaults) {
    Object.assign(requests, limit.defaultRequest)
    Object.assign(most, limit.default)
  }
  const filled = [
    ...(spec.containers ?? []).flatMap((one) => fill(one, requests, most, 'container')),
    ...(spec.initContainers ?? []).flatMap((one) => fill(one, requests, most, 'init container')),
  ]
  if (filled.length === 0) return
  object.metadata.annotations = {
    ...object.metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${filled.join('; ')}`,
  }
}

/** Fills in defaults and describes them. */
function fill(
  container: Container,
  requests: Readonly<Record<string, string>>,
  limits: Readonly<Record<string, string>>,
  what: string,
): string[] {
  const resources = (container.resources ??= {})
  const words: string[] = []
  for (const [side, defaults] of [
    ['requests', requests],
    ['limits', limits],
  ] as const) {
    const own = resources[side] ?? {}
    const missing = Object.keys(defaults).filter((name) => own[name] === undefined)
    if (missing.length === 0) continue
    const added = missing.map((name) => [name, defaults[name] ?? '0'] as const)
    resources[side] = { ...own, ...Object.fromEntries(added) }
    const noun = side === 'requests' ? 'request' : 'limit'
    words.push(`${missing.sort().join(', ')} ${noun} for ${what} ${container.name ?? ''}`)
  }
  return words
}

function podProblems(object: ApiObject, limits: readonly Limit[]): string[] {
  const spec: PodSpec = asPod(object).spec
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  return limits.flatMap((limit) => {
    if (limit.type === 'Container') {
      return containers.flatMap(({ resources = {} }) =>
        problemsOf(limit, quantitiesOf(resources.requests), quantitiesOf(resources.limits)),
      )
    }
    if (limit.type !== 'Pod') return []
    return problemsOf(limit, podQuantities(spec, 'requests'), podQuantities(spec, 'limits'))
  })
}

function claimProblems(object: ApiObject, limits: readonly Limit[]): string[] {
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

function onlyMin({ type = '', min = {} }: Limit): Limit {
  return { type, min }
}
