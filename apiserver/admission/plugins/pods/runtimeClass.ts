import { asPod } from '../../../apis/kubernetes/core/pod/podTypes.ts'
import type { PodSpec, Toleration } from '../../../apis/kubernetes/shapes/coreV1.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { AdmissionRequest } from '../../../registry/admission.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import { quantitiesOf, type ResourceQuantities } from '../../resourceQuantities.ts'
import type { PlaneObjects } from '../../planeObjects.ts'
import { isTarget, podsCreated } from '../podTarget.ts'
import { mergedTolerations } from './mergedTolerations.ts'
import { refusal } from './podRefusal.ts'

interface RuntimeClass extends ApiObject {
  overhead?: { podFixed?: Record<string, string> }
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: Toleration[] }
}

const runtimeClasses = { group: 'node.k8s.io', resource: 'runtimeclasses' }

/** Sets the overhead, node selector and tolerations of the runtime class on its pods. Source: Kubernetes,
 *  RuntimeClass. */
export function runtimeClass(objects: PlaneObjects): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    handles: (target) => isTarget(target, podsCreated),
    mutate: (request) => {
      const { object } = request
      if (object === undefined) return
      const spec = (asPod(object).spec ??= {})
      const found = classOf(spec, request, objects)
      if (found?.overhead !== undefined) setOverhead(spec, found.overhead.podFixed, request)
      if (found?.scheduling !== undefined) setScheduling(spec, found.scheduling, request)
    },
    validate: (request) => {
      if (request.object === undefined) return
      const { spec = {} } = asPod(request.object)
      checkOverhead(spec, classOf(spec, request, objects), request)
    },
  }
}

/** Runtime class of a pod; undefined: none. @throws StatusError Forbidden if it does not exist. */
function classOf(
  { runtimeClassName: name }: PodSpec,
  request: AdmissionRequest,
  objects: PlaneObjects,
): RuntimeClass | undefined {
  if (name === undefined) return undefined
  const found = objects.get(runtimeClasses, '', name)
  if (found === undefined) {
    throw refusal(request, `pod rejected: RuntimeClass ${goQuote(name)} not found`)
  }
  return found
}

const differs = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"

function setOverhead(
  spec: PodSpec,
  fixed: Record<string, string> | undefined,
  request: AdmissionRequest,
): void {
  const given = spec.overhead ?? {}
  if (Object.keys(given).length > 0 && !isSame(given, fixed)) throw refusal(request, differs)
  if (fixed === undefined) delete spec.overhead
  else spec.overhead = { ...fixed }
}

function checkOverhead(
  { overhead }: PodSpec,
  found: RuntimeClass | undefined,
  request: AdmissionRequest,
): void {
  if (found?.overhead !== undefined) {
    if (!isSame(overhead, found.overhead.podFixed)) throw refusal(request, differs)
  } else if (overhead !== undefined) {
    const why = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'
    throw refusal(request, why)
  }
}

function isSame(one?: Record<string, string>, other?: Record<string, string>): boolean {
  const [a, b]: ResourceQuantities[] = [quantitiesOf(one), quantitiesOf(other)]
  if (a === undefined || b === undefined || a.size !== b.size) return false
  return [...a].every(([name, { nanos }]) => b.get(name)?.nanos === nanos)
}

function setScheduling(
  spec: PodSpec,
  { nodeSelector = {}, tolerations = [] }: NonNullable<RuntimeClass['scheduling']>,
  request: AdmissionRequest,
): void {
  const selector = { ...spec.nodeSelector }
  for (const [key, value] of Object.entries(nodeSelector)) {
    const own = Object.hasOwn(selector, key) ? selector[key] : undefined
    if (own !== undefined && own !== value) {
      const why = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`
      throw refusal(request, why)
    }
    selector[key] = value
  }
  if (Object.keys(selector).length > 0) spec.nodeSelector = selector
  const merged = mergedTolerations(spec.tolerations ?? [], tolerations)
  if (merged.length > 0) spec.tolerations = merged
}
