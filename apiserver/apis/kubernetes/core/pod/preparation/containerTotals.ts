import { addQuantities, formatQuantity, parseQuantity } from '../../../../../meta/quantity.ts'
import type { Container, PodSpec } from '../../../shapes/coreV1.ts'
import { compareQuantityStrings } from '../../quantityRules.ts'
import { isSidecar } from '../podTypes.ts'

/** Quantities by the name of their resource. */
export type ResourceList = Readonly<Record<string, string>>

type Kind = 'requests' | 'limits'

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-')
}

/** Reports whether a resource may be set for a whole pod. */
export function isOfPods(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name)
}

/**
 * Maximum resources that the containers of a pod use at one time. Init containers run in sequence,
 * alongside sidecars started before them. Source: Kubernetes documentation, "Resource sharing
 * within containers".
 */
export function containerTotals(spec: PodSpec, kind: Kind): ResourceList {
  const quantitiesOf = ({ resources }: Container) => resources?.[kind] ?? {}
  let total: ResourceList = {}
  for (const container of spec.containers ?? []) total = added(total, quantitiesOf(container))
  let sidecars: ResourceList = {}
  let starting: ResourceList = {}
  for (const container of spec.initContainers ?? []) {
    const own = quantitiesOf(container)
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

function added(one: ResourceList, other: ResourceList): ResourceList {
  const sums = Object.entries(other).map(([name, quantity]) => {
    const before = one[name]
    return [name, before === undefined ? quantity : sum(before, quantity)]
  })
  return { ...one, ...(Object.fromEntries(sums) as ResourceList) }
}

function sum(one: string, other: string): string {
  const [left, right] = [parseQuantity(one), parseQuantity(other)]
  if (left === undefined || right === undefined) return one
  return formatQuantity(addQuantities(left, right))
}

function larger(one: ResourceList, other: ResourceList): ResourceList {
  const most = Object.entries(other).map(([name, quantity]) => {
    const before = one[name]
    return [
      name,
      before !== undefined && compareQuantityStrings(before, quantity) >= 0 ? before : quantity,
    ]
  })
  return { ...one, ...(Object.fromEntries(most) as ResourceList) }
}
