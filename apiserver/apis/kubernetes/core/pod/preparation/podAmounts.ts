import { addQuantities, formatQuantity, parseQuantity } from '../../../../../meta/quantity.ts'
import { compareAmounts } from '../../quantities.ts'
import { isSidecar, type Container, type PodSpec } from '../podTypes.ts'

/** Quantities by the name of their resource. */
export type Amounts = Readonly<Record<string, string>>

type Kind = 'requests' | 'limits'

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-')
}

/** Resources that a pod may have as a whole. */
export function isOfPods(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name)
}

/** The most that the containers of a pod take at one time: init containers run one after the other, beside the sidecars
 *  that began before them. Source: Kubernetes documentation, "Resource sharing within containers". */
export function containerTotals(spec: PodSpec, kind: Kind): Amounts {
  const amountsOf = ({ resources }: Container) => resources?.[kind] ?? {}
  let total: Amounts = {}
  for (const container of spec.containers ?? []) total = added(total, amountsOf(container))
  let sidecars: Amounts = {}
  let starting: Amounts = {}
  for (const container of spec.initContainers ?? []) {
    const own = amountsOf(container)
    if (isSidecar(container)) {
      total = added(total, own)
      sidecars = added(sidecars, own)
      starting = larger(starting, sidecars)
    } else {
      starting = larger(starting, added(sidecars, own))
    }
  }
  return larger(total, starting)
}

function added(one: Amounts, other: Amounts): Amounts {
  const sums = Object.entries(other).map(([name, amount]) => {
    const before = one[name]
    return [name, before === undefined ? amount : sum(before, amount)]
  })
  return { ...one, ...(Object.fromEntries(sums) as Amounts) }
}

function sum(one: string, other: string): string {
  const [left, right] = [parseQuantity(one), parseQuantity(other)]
  if (left === undefined || right === undefined) return one
  return formatQuantity(addQuantities(left, right))
}

function larger(one: Amounts, other: Amounts): Amounts {
  const most = Object.entries(other).map(([name, amount]) => {
    const before = one[name]
    return [name, before !== undefined && compareAmounts(before, amount) >= 0 ? before : amount]
  })
  return { ...one, ...(Object.fromEntries(most) as Amounts) }
}
