import { invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../meta/names/nameValidation.ts'
import { isIPv4, isIPv6 } from '../../registry/formats/ipFormats.ts'
import { address } from '../fieldChecks.ts'

/** Where a balancer is reached. */
export interface Balancer {
  ip?: string
  ipMode?: string
  hostname?: string
}

/** What is wrong with the address and the name of one that stands at `path`. Source: observed answers. */
export function balancerErrors(path: string, { ip = '', hostname = '' }: Balancer): FieldError[] {
  return [
    ...(ip === '' ? [] : address(`${path}.ip`, ip)),
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
  if (!isIPv4(host) && !isIPv6(host)) return []
  return [invalidField(path, host, 'must be a DNS name, not an IP address')]
}
