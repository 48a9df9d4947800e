import { isIP } from 'node:net'
import { invalidField, requiredField, type FieldError } from '../../../../../meta/fieldErrors.ts'
import { underscoredErrors } from '../../../../../meta/names/nameValidation.ts'
import { errorIf } from '../../../../fieldChecks.ts'
import type { PodSpec } from '../../../shapes/coreV1.ts'

const addressText = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const maxNameservers = 3
const maxSearches = 32
const maxSearchCharacters = 2048

/**
 * Errors for the DNS configuration. Source: Kubernetes API reference, PodDNSConfig v1; seen on
 * kube-apiserver 1.37.2.
 */
export function dnsErrors(path: string, { dnsPolicy, dnsConfig }: PodSpec): FieldError[] {
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {}
  if (dnsPolicy === 'None' && nameservers.length === 0) {
    return dnsConfig === undefined
      ? [requiredField(path, 'must provide `dnsConfig` when `dnsPolicy` is None')]
      : [requiredField(`${path}.nameservers`, serverText)]
  }
  return [
    ...errorIf(nameservers.length > maxNameservers, () =>
      invalidField(
        `${path}.nameservers`,
        nameservers,
        `must not have more than ${maxNameservers} nameservers`,
      ),
    ),
    ...nameservers.flatMap((address, index) =>
      addressErrors(`${path}.nameservers[${index}]`, address),
    ),
    ...searchListErrors(`${path}.searches`, searches),
    ...options.flatMap(({ name = '' }, index) =>
      errorIf(name === '', () => requiredField(`${path}.options[${index}]`, 'must not be empty')),
    ),
  ]
}

const serverText = 'must provide at least one DNS nameserver when `dnsPolicy` is None'

export function addressErrors(path: string, address: string): FieldError[] {
  return errorIf(isIP(address) === 0, () => invalidField(path, address, addressText))
}

function searchListErrors(path: string, searches: readonly string[]): FieldError[] {
  const tooMany = `must not have more than ${maxSearches} search paths`
  const tooLong = `must not have more than ${maxSearchCharacters} characters (including spaces) in the search list`
  const length = Buffer.byteLength(searches.join(' '))
  return [
    ...errorIf(searches.length > maxSearches, () => invalidField(path, searches, tooMany)),
    ...errorIf(length > maxSearchCharacters, () => invalidField(path, searches, tooLong)),
    ...searches.flatMap((domain, index) => searchErrors(`${path}[${index}]`, domain)),
  ]
}

/**
 * Errors for a search domain, which may end with a dot, be a single dot, or contain underscores.
 */
function searchErrors(path: string, domain: string): FieldError[] {
  if (domain === '.') return []
  const plain = domain.endsWith('.') ? domain.slice(0, -1) : domain
  return underscoredErrors(plain).map((text) => invalidField(path, plain, text))
}
