import { asPod } from '../../../apis/kubernetes/core/pod/podTypes.ts'
import { qualityOf } from '../../../apis/kubernetes/core/pod/podQuality.ts'
import type { Toleration } from '../../../apis/kubernetes/shapes/coreV1.ts'
import { messageOf } from '../../../meta/messageOf.ts'
import { plainError } from '../../../meta/statusErrors.ts'
import type { AdmissionRequest } from '../../../registry/admission.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import type { NamespaceLookup } from '../../selectors.ts'
import { isTarget } from '../podTarget.ts'
import { includes, mergedTolerations } from './mergedTolerations.ts'

const defaults = 'scheduler.alpha.kubernetes.io/defaultTolerations'
const allowed = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist'
const memoryPressure: Toleration = {
  ...{ key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
}

/**
 * Adds the default tolerations in annotations of the namespace, and refuses tolerations that the
 * namespace does not allow.
 * Source: Kubernetes, PodTolerationRestriction.
 */
export function podTolerationRestriction(lookup: NamespaceLookup): AdmissionPlugin {
  const check = ({ object, namespace }: AdmissionRequest) => {
    const { tolerations = [] } = (object && asPod(object).spec) ?? {}
    const list = tolerationsOf(lookup, namespace, allowed) ?? []
    const isAllowed = (one: Toleration) => list.some((wide) => includes(wide, one))
    if (list.length === 0 || tolerations.every(isAllowed)) return
    const why =
      'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist'
    throw plainError(why)
  }
  return {
    name: 'PodTolerationRestriction',
    handles: (target) =>
      isTarget(target, { group: '', plural: 'pods', operations: ['CREATE', 'UPDATE'] }),
    mutate: (request) => {
      const { object, namespace, operation } = request
      if (object === undefined) return
      const spec = (asPod(object).spec ??= {})
      const given = operation === 'CREATE' ? tolerationsOf(lookup, namespace, defaults) : undefined
      const extra = [
        ...(given ?? []),
        ...(qualityOf(spec) === 'BestEffort' ? [] : [memoryPressure]),
      ]
      if (extra.length > 0) spec.tolerations = mergedTolerations(spec.tolerations ?? [], extra)
      check(request)
    },
    validate: check,
  }
}

/** Tolerations in an annotation of the namespace; undefined: absent. @throws StatusError unless it is a list. */
function tolerationsOf(
  lookup: NamespaceLookup,
  namespace: string,
  annotation: string,
): Toleration[] | undefined {
  const text = lookup(namespace)?.metadata.annotations?.[annotation]
  if (text === undefined) return undefined
  if (text === '') return []
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? (value as Toleration[]) : [] // read without validation
  } catch (error) {
    throw plainError(messageOf(error), error)
  }
}
