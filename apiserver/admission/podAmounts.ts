import { isSidecar, type Container, type PodSpec } from '../apis/kubernetes/core/pod/podTypes.ts'
import { amountsOf, largestAmounts, noAmounts, sumAmounts, type Amounts } from './amounts.ts'

type Side = 'requests' | 'limits'

/** Amount a pod needs: the sum of its containers, or an init container and the sidecars before it if that is more, plus
 *  the overhead of its runtime. Pod-level resources take precedence.
 *  Source: Kubernetes, "Resource sharing within containers". */
export function podAmounts(spec: PodSpec, side: Side): Amounts {
  const of = ({ resources }: Container) => amountsOf(resources?.[side])
  let sidecars = noAmounts
  let init = noAmounts
  for (const container of spec.initContainers ?? []) {
    if (isSidecar(container)) {
      sidecars = sumAmounts(sidecars, of(container))
      init = largestAmounts(init, sidecars)
    } else init = largestAmounts(init, sumAmounts(sidecars, of(container)))
  }
  const running = sumAmounts(...(spec.containers ?? []).map(of), sidecars)
  const whole = new Map(largestAmounts(running, init))
  for (const [name, amount] of amountsOf(spec.resources?.[side])) whole.set(name, amount)
  const overhead = [...amountsOf(spec.overhead)].filter(([name]) => {
    return side === 'requests' || whole.has(name)
  })
  return sumAmounts(whole, new Map(overhead))
}
