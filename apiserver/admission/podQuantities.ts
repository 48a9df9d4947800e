import { containerTotals } from '../apis/kubernetes/core/pod/preparation/containerTotals.ts'
import type { PodSpec } from '../apis/kubernetes/shapes/coreV1.ts'
import { quantitiesOf, sumQuantities, type ResourceQuantities } from './resourceQuantities.ts'

/**
 * Quantities that a pod needs: those of its containers plus the overhead of its runtime class.
 * Pod-level resources take precedence.
 * Source: Kubernetes, "Resource sharing within containers".
 */
export function podQuantities(spec: PodSpec, side: 'requests' | 'limits'): ResourceQuantities {
  const whole = new Map(quantitiesOf({ ...containerTotals(spec, side), ...spec.resources?.[side] }))
  const overhead = [...quantitiesOf(spec.overhead)].filter(([name]) => {
    return side === 'requests' || whole.has(name)
  })
  return sumQuantities(whole, new Map(overhead))
}
