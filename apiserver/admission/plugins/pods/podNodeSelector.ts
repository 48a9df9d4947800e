import { asPod } from '../../../apis/kubernetes/core/pod/podTypes.ts'
import { plainError } from '../../../meta/statusErrors.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import type { NamespaceLookup } from '../../selectors.ts'
import { isTarget, podsCreated } from '../podTarget.ts'
import { refusal } from './podRefusal.ts'

const annotation = 'scheduler.alpha.kubernetes.io/node-selector'

/** Merges the node selector in an annotation of the namespace into its pods. Source: Kubernetes, PodNodeSelector. */
export function podNodeSelector(lookup: NamespaceLookup): AdmissionPlugin {
  return {
    name: 'PodNodeSelector',
    handles: (target) => isTarget(target, podsCreated),
    mutate: (request) => {
      const { object, namespace } = request
      if (object === undefined) return
      const spec = (asPod(object).spec ??= {})
      const wanted = labelsOf(lookup(namespace)?.metadata.annotations?.[annotation] ?? '')
      const own = spec.nodeSelector ?? {}
      const conflicts = Object.entries(wanted).some(
        ([key, value]) => Object.hasOwn(own, key) && own[key] !== value,
      )
      if (conflicts) {
        const why = 'pod node label selector conflicts with its namespace node label selector'
        throw refusal(request, why)
      }
      if (Object.keys(wanted).length > 0) spec.nodeSelector = { ...wanted, ...own }
    },
  }
}

/** Parses a selector. @throws StatusError unless it is a list of labels. */
function labelsOf(selector: string): Record<string, string> {
  if (selector === '') return {}
  const pairs = selector.split(',').map((part): [string, string] => {
    const pair = part.split('=')
    const [key = '', value = ''] = pair
    if (pair.length !== 2) throw plainError(`invalid selector: [${pair.join(' ')}]`)
    return [key.trim(), value.trim()]
  })
  return Object.fromEntries(pairs)
}
