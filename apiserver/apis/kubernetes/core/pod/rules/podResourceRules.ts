import { forbiddenField, invalidField, type FieldError } from '../../../../../meta/fieldErrors.ts'
import { errorIf } from '../../../../fieldChecks.ts'
import type { PodSpec } from '../../../shapes/coreV1.ts'
import { podResourcesErrors, type KnownClaims } from '../../container/resourceRules.ts'
import { compareQuantityStrings } from '../../quantityRules.ts'
import { containerTotals, isHugePages, type ResourceList } from '../preparation/containerTotals.ts'

/**
 * Errors for pod-level resources and for the containers' resources. `path` leads to the pod's spec.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function wholePodErrors(path: string, spec: PodSpec, claims: KnownClaims): FieldError[] {
  const { resources, os } = spec
  if (resources === undefined) return []
  const at = `${path}.resources`
  if (os?.name === 'windows') return [forbiddenField(at, 'may not be set for a windows pod')]
  const limits = resources.limits ?? {}
  return [
    ...podResourcesErrors(at, resources, claims),
    ...sumErrors(`${at}.requests`, resources.requests ?? {}, {
      totals: containerTotals(spec, 'requests'),
      kind: 'requests',
    }),
    ...sumErrors(`${at}.limits`, limits, {
      totals: onlyHugePages(containerTotals(spec, 'limits')),
      kind: 'limits',
    }),
    ...(spec.containers ?? []).flatMap((container, index) =>
      limitErrors(`${at}.containers[${index}]`, container.resources?.limits ?? {}, limits),
    ),
  ]
}

function onlyHugePages(quantities: ResourceList): ResourceList {
  return Object.fromEntries(Object.entries(quantities).filter(([name]) => isHugePages(name)))
}

function sumErrors(
  path: string,
  own: ResourceList,
  { totals, kind }: { totals: ResourceList; kind: string },
): FieldError[] {
  return Object.entries(totals).flatMap(([name, total]) => {
    const quantity = own[name]
    if (quantity === undefined || compareQuantityStrings(total, quantity) <= 0) return []
    const detail = `must be greater than or equal to aggregate container ${kind} of ${total}`
    return [invalidField(`${path}[${name}]`, quantity, detail)]
  })
}

function limitErrors(path: string, own: ResourceList, ofPod: ResourceList): FieldError[] {
  return Object.entries(own).flatMap(([name, quantity]) => {
    const most = ofPod[name] ?? quantity
    return errorIf(compareQuantityStrings(quantity, most) > 0, () =>
      invalidField(
        `${path}[${name}].limits`,
        quantity,
        `must be less than or equal to pod limits of ${most}`,
      ),
    )
  })
}
