import {
  forbiddenField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import { balancerErrors } from '../../balancerRules.ts'
import { valueAt } from '../../../columns.ts'
import { addressWarnings } from '../../../addressChecks.ts'
import { fill } from '../../../fill.ts'
import type { LoadBalancerIngress } from '../../shapes/coreV1.ts'
import { specOf } from './serviceSpec.ts'

const modes = ['Proxy', 'VIP']

function balancersOf(object: ApiObject): LoadBalancerIngress[] {
  // Guaranteed by the schema.
  const found = valueAt(object, 'status.loadBalancer.ingress')
  return Array.isArray(found) ? (found as LoadBalancerIngress[]) : []
}

/** Sets defaults: balancers with an address route traffic to that address. */
export function setStatusDefaults(object: ApiObject): void {
  if (specOf(object).type !== 'LoadBalancer') return
  for (const balancer of balancersOf(object))
    if ((balancer.ip ?? '') !== '') fill(balancer, { ipMode: 'VIP' })
}

/** Errors for a service status. Source: seen on kube-apiserver 1.37.2. */
export function serviceStatusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const balancers = balancersOf(object)
  const path = 'status.loadBalancer.ingress'
  if (balancers.length > 0 && specOf(object).type !== 'LoadBalancer')
    return [forbiddenField(path, "may only be used when `spec.type` is 'LoadBalancer'")]
  const kept = balancersOf(old).flatMap(({ ip }) => ip ?? [])
  return balancers.flatMap((balancer, index) => [
    ...balancerErrors(`${path}[${index}]`, { ...balancer, hostname: '' }, kept),
    ...modeErrors(`${path}[${index}].ipMode`, balancer),
    ...balancerErrors(`${path}[${index}]`, { ...balancer, ip: '' }, kept),
  ])
}

function modeErrors(path: string, { ip = '', ipMode }: LoadBalancerIngress): FieldError[] {
  if (ipMode === undefined) {
    return ip === '' ? [] : [requiredField(path, 'must be specified when `ip` is set')]
  }
  if (ip === '') return [forbiddenField(path, 'may not be specified when `ip` is not set')]
  return modes.includes(ipMode) ? [] : [notSupportedField(path, ipMode, modes)]
}

export function serviceStatusWarnings(object: ApiObject): string[] {
  return balancersOf(object).flatMap(({ ip = '' }, index) =>
    addressWarnings(`status.loadBalancer.ingress[${index}]`, ip),
  )
}
