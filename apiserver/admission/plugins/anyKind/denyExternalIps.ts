import { isObject } from '../../../meta/json/isObject.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import { refusal } from '../pods/podRefusal.ts'
import { isTarget } from '../podTarget.ts'

/** Refuses new external addresses of services. Source: Kubernetes, DenyServiceExternalIPs. */
export const denyExternalIps: AdmissionPlugin = {
  name: 'DenyServiceExternalIPs',
  handles: (target) =>
    isTarget(target, { group: '', plural: 'services', operations: ['CREATE', 'UPDATE'] }),
  validate: (request) => {
    const known = addressesOf(request.oldObject)
    if (addressesOf(request.object).every((address) => known.includes(address))) return
    throw refusal(request, 'Use of external IPs is denied by admission control')
  },
}

function addressesOf(service: ApiObject | undefined): readonly unknown[] {
  const spec = service?.['spec']
  return isObject(spec) && Array.isArray(spec['externalIPs'])
    ? (spec['externalIPs'] as unknown[])
    : []
}
