import { invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../meta/names/nameValidation.ts'
import { parseAddress } from '../../meta/ipAddress.ts'
import { address } from '../addressChecks.ts'
import type { LoadBalancerIngress } from './shapes/coreV1.ts'

/**
 * Errors for the address and the host name at `path`; addresses in `kept` are already stored.
 * Source: observed answers.
 */
export function balancerErrors(
  path: string,
  { ip = '', hostname = '' }: LoadBalancerIngress,
  kept: readonly string[] = [],
): FieldError[] {
  return [
    ...(ip === '' ? [] : address(`${path}.ip`, ip, kept)),
    ...(hostname === '' ? [] : hostNameErrors(`${path}.hostname`, hostname)),
  ]
}

function hostNameErrors(path: string, hostname: string): FieldError[] {
  return [
    ...subdomainErrors(hostname).map((text) => invalidField(path, hostname, text)),
    ...notAddress(path, hostname),
  ]
}

export function notAddress(path: string, host: string): FieldError[] {
  if (parseAddress(host) === undefined) return []
  return [invalidField(path, host, 'must be a DNS name, not an IP address')]
}
