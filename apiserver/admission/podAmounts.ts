import { containerTotals } from '../apis/kubernetes/core/pod/preparation/podAmounts.ts'
import type { PodSpec } from '../apis/kubernetes/core/pod/podTypes.ts'
import { amountsOf, sumAmounts, type Amounts } from './amounts.ts'

/** Amount a pod needs: that of its containers, plus the overhead of its runtime. Pod-level resources take precedence.
 *  Source: Kubernetes, "Resource sharing within containers". */
export function podAmounts(spec: PodSpec, side: 'requests' | 'limits'): Amounts {
  const whole = new Map(amountsOf({ ...containerTotals(spec, side), ...spec.resources?.[side] }))
  const overhead = [...amountsOf(spec.overhead)].filter(([name]) => {
    return side === 'requests' || whole.has(name)
  })
  return sumAmounts(whole, new Map(overhead))
}
