import { forbiddenField, invalidField, type FieldError } from '../../../../../meta/fieldErrors.ts'
import { errorIf, isSame } from '../../../../fieldChecks.ts'
import type { Container, PodSpec, ResourceRequirements } from '../../../shapes/coreV1.ts'
import { mirrorAnnotation } from './podAnnotations.ts'
import { podErrors } from './podOnlyRules.ts'
import { qualityOf } from '../podQuality.ts'
import { isSidecar, type Pod } from '../podTypes.ts'

const lists = ['containers', 'initContainers'] as const
const quantities = ['requests', 'limits'] as const
const fixedText = 'only cpu and memory resources are mutable'
const initText = 'only cpu and memory resources for init or sidecar containers are mutable'
const restartedText =
  'non-sidecar init containers with a resize policy of RestartContainer cannot be resized'

/** Errors for a resize. Source: seen on kube-apiserver 1.37.2. */
export function podResizeErrors(next: Pod, old: Pod): FieldError[] {
  const { annotations = {} } = old.metadata
  if (annotations[mirrorAnnotation] !== undefined) {
    return [forbiddenField('[]', 'static pods cannot be resized')]
  }
  if (old.spec.os?.name === 'windows') {
    return [forbiddenField('[]', 'windows pods cannot be resized')]
  }
  const before = [
    ...podErrors(next),
    ...errorIf(qualityOf(old.spec) !== qualityOf(next.spec), () =>
      invalidField(
        'spec',
        next.status.qosClass ?? '',
        'Pod QOS Class may not change as a result of resizing',
      ),
    ),
    ...errorIf(!isSupported(old), () =>
      forbiddenField('spec', 'Pod running on node without support for resize'),
    ),
    ...wholeErrors(next.spec.resources, old.spec.resources),
  ]
  const order = orderErrors(next.spec, old.spec)
  if (order.length > 0) return [...before, ...order]
  return [
    ...before,
    ...removals('initContainers', next.spec, old.spec),
    ...removals('containers', next.spec, old.spec),
    ...(next.spec.containers ?? []).flatMap((container, index) =>
      errorIf(!isOnlyResized(container, old.spec.containers?.[index]), () =>
        forbiddenField('spec', fixedText),
      ),
    ),
    ...initErrors(next.spec, old.spec),
  ]
}

/**
 * Reports whether the node of a pod can resize it: a node that can also reports the resources of
 * running containers.
 */
function isSupported({ status: { containerStatuses = [] } }: Pod): boolean {
  const running = containerStatuses.find(({ state }) => state?.running !== undefined)
  return running === undefined || running.resources !== undefined
}

function wholeErrors(
  next: ResourceRequirements | undefined,
  old: ResourceRequirements | undefined,
): FieldError[] {
  if (next === undefined) return []
  const path = 'spec.resources'
  return [
    ...(old === undefined ? [] : quantities).flatMap((kind) =>
      errorIf(isAnyRemoved(next[kind], old?.[kind]), () =>
        forbiddenField(`${path}.${kind}`, `pod-level resource ${kind} cannot be removed`),
      ),
    ),
    ...errorIf(!isSame(fixedResources(next), fixedResources(old ?? {})), () =>
      forbiddenField('spec', 'only cpu and memory resources are mutable at pod-level'),
    ),
  ]
}

function orderErrors(next: PodSpec, old: PodSpec): FieldError[] {
  return lists.flatMap((list) => {
    const [after, before] = [next[list] ?? [], old[list] ?? []]
    if (after.length !== before.length) {
      return [forbiddenField(`spec.${list}`, `${list} may not be added or removed on resize`)]
    }
    return before.flatMap(({ name }, index) =>
      errorIf(after[index]?.name !== name, () =>
        forbiddenField(
          `spec.${list}[${index}].name`,
          `${list} may not be renamed or reordered on resize`,
        ),
      ),
    )
  })
}

function removals(list: (typeof lists)[number], next: PodSpec, old: PodSpec): FieldError[] {
  return (old[list] ?? []).flatMap(({ resources }, index) =>
    quantities.flatMap((kind) => {
      const after = next[list]?.[index]?.resources?.[kind]
      const path = `spec.${list}[${index}].resources.${kind}`
      return errorIf(isAnyRemoved(after, resources?.[kind]), () =>
        forbiddenField(path, `resource ${kind} cannot be removed`),
      )
    }),
  )
}

type ResourceList = Readonly<Record<string, string>>

function isAnyRemoved(next: ResourceList = {}, old: ResourceList = {}): boolean {
  return Object.keys(old).some((name) => !Object.hasOwn(next, name))
}

function initErrors(next: PodSpec, old: PodSpec): FieldError[] {
  return (next.initContainers ?? []).flatMap((container, index) => {
    const path = `spec.initContainers[${index}]`
    const before = old.initContainers?.[index]
    const isResized = !isSidecar(container) && !isSame(container, before)
    return [
      ...errorIf(!isOnlyResized(container, before), () => forbiddenField(path, initText)),
      ...(isResized ? (container.resizePolicy ?? []) : []).flatMap(({ restartPolicy }) =>
        errorIf(restartPolicy === 'RestartContainer', () => forbiddenField(path, restartedText)),
      ),
    ]
  })
}

function isOnlyResized(next: Container, old: Container = {}): boolean {
  const fixed = ({ resources = {}, ...rest }: Container) => ({
    ...rest,
    resources: fixedResources(resources),
  })
  return isSame(fixed(next), fixed(old))
}

/** Immutable resources, in a fixed order. */
function fixedResources({ claims = [], ...kinds }: ResourceRequirements): unknown {
  return {
    claims,
    quantities: quantities.map((kind) =>
      Object.entries(kinds[kind] ?? {})
        .filter(([name]) => name !== 'cpu' && name !== 'memory')
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
  }
}
