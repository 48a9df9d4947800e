import { forbiddenField, invalidField, type FieldError } from '../../../../../meta/fieldErrors.ts'
import { errorIf } from '../../../../fieldChecks.ts'
import { podResourcesErrors, type KnownClaims } from '../../container/resourceRules.ts'
import { compareAmounts } from '../../quantities.ts'
import { containerTotals, isHugePages, type Amounts } from '../preparation/podAmounts.ts'
import type { PodSpec } from '../podTypes.ts'

/** The resources of a pod as a whole, and what its containers take of them. `path` leads to the pod's spec.
 *  Source: seen on kube-apiserver 1.37.2. */
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

function onlyHugePages(amounts: Amounts): Amounts {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => isHugePages(name)))
}

function sumErrors(
  path: string,
  own: Amounts,
  { totals, kind }: { totals: Amounts; kind: string },
): FieldError[] {
  return Object.entries(totals).flatMap(([name, total]) => {
    const amount = own[name]
    if (amount === undefined || compareAmounts(total, amount) <= 0) return []
    const detail = `must be greater than or equal to aggregate container ${kind} of ${total}`
    return [invalidField(`${path}[${name}]`, amount, detail)]
  })
}

function limitErrors(path: string, own: Amounts, ofPod: Amounts): FieldError[] {
  return Object.entries(own).flatMap(([name, amount]) => {
    const most = ofPod[name] ?? amount
    return errorIf(compareAmounts(amount, most) > 0, () =>
      invalidField(
        `${path}[${name}].limits`,
        amount,
        `must be less than or equal to pod limits of ${most}`,
      ),
    )
  })
}
