import { isIPv4 } from 'node:net'
import { invalidField, type FieldError } from '../../../../../meta/fieldErrors.ts'
import { errorIf } from '../../../../fieldChecks.ts'
import type { PodIP, PodStatus } from '../../../shapes/coreV1.ts'
import { addressErrors } from '../rules/dnsRules.ts'

/**
 * Keeps the single address and the list consistent; if they differ, the single address wins, for
 * agents that do not know the list. Changes `status`. Source: seen on kube-apiserver 1.37.2.
 */
export function setAddressDefaults(status: PodStatus): void {
  const { podIP: ip = '', podIPs: [first] = [] } = status
  if (ip === '') {
    if (first?.ip !== undefined) status.podIP = first.ip
  } else if (first?.ip !== ip) {
    status.podIPs = [{ ip }]
  }
}

/** Errors for new addresses; stored ones are not validated again. */
export function podAddressErrors(next: PodStatus, old: PodStatus): FieldError[] {
  const path = 'status.podIPs'
  const { podIP = '', podIPs = [] } = next
  const [first] = podIPs
  const alone = 'podIP and podIPs must either both be set or both be unset'
  return [
    ...listErrors(path, podIPs, old.podIPs),
    ...(podIP === '' && first !== undefined
      ? [invalidField(path, podIPs, alone)]
      : firstErrors(path, first?.ip, ['podIP', podIP])),
  ]
}

export function hostAddressErrors(next: PodStatus, old: PodStatus): FieldError[] {
  const path = 'status.hostIPs'
  const { hostIP = '', hostIPs = [] } = next
  return [
    ...firstErrors(path, hostIPs[0]?.ip, ['hostIP', hostIP]),
    ...listErrors(path, hostIPs, old.hostIPs),
  ]
}

function firstErrors(
  path: string,
  first: string | undefined,
  [field, address]: readonly [string, string],
): FieldError[] {
  return errorIf(first !== undefined && first !== address, () =>
    invalidField(`${path}[0].ip`, first, `must be equal to \`${field}\``),
  )
}

const familyText = 'may specify no more than one IP for each IP family'

function listErrors(
  path: string,
  list: readonly PodIP[],
  old: readonly PodIP[] = [],
): FieldError[] {
  const before = new Set(old.map(({ ip }) => ip))
  const wrong = list.flatMap(({ ip = '' }, index) =>
    before.has(ip) ? [] : addressErrors(`${path}[${index}]`, ip),
  )
  if (list.length < 2) return wrong
  const unreadable = list.findIndex(({ ip = '' }) => addressErrors('', ip).length > 0)
  const families = new Set(list.map(({ ip = '' }) => isIPv4(ip)))
  const isPair = list.length === 2 && families.size === 2 && unreadable < 0
  return [
    ...wrong,
    ...(unreadable < 0 ? [] : [internal(path, unreadable, list[unreadable]?.ip ?? '')]),
    ...errorIf(!isPair, () => invalidField(path, shown(list), familyText)),
  ]
}

/** Addresses with the field name of kube-apiserver's internal types. */
function shown(list: readonly PodIP[]): object[] {
  return list.map(({ ip }) => ({ IP: ip }))
}

function internal(field: string, index: number, ip: string): FieldError {
  const message = `Internal error: failed to check for dual stack with error:invalid IP[${index}]: ${ip}`
  return { reason: 'InternalError', field, message }
}
