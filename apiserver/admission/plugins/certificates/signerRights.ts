import { isDeepStrictEqual } from 'node:util'
import type { Authorizer } from '../../../authorization/authorizer.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { AdmissionRequest } from '../../../registry/admission.ts'
import { changesOwnersOnly } from '../../../apis/kubernetes/rbac/changesOwnersOnly.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import { refusal } from '../pods/podRefusal.ts'
import { isTarget } from '../podTarget.ts'

const group = 'certificates.k8s.io'
const requests = { group, plural: 'certificatesigningrequests', operations: ['UPDATE'] } as const

/**
 * Plugins that require rights on the signer of a certificate: to approve requests, to sign them,
 * and to attest root certificates. Source: Kubernetes, CertificateApproval, CertificateSigning,
 * ClusterTrustBundleAttest.
 */
export function signerRights(authorize: Authorizer): AdmissionPlugin[] {
  const require = async (request: AdmissionRequest, signer: string, verb: string, act: string) => {
    if (await isAllowed(authorize, request, signer, verb)) return
    throw refusal(request, `user not permitted to ${act} signerName ${goQuote(signer)}`)
  }
  return [
    {
      name: 'CertificateApproval',
      handles: (target) => isTarget(target, { ...requests, subresource: 'approval' }),
      validate: (request) =>
        require(request, signerOf(request.oldObject), 'approve', 'approve requests with'),
    },
    {
      name: 'CertificateSigning',
      handles: (target) => isTarget(target, { ...requests, subresource: 'status' }),
      validate: (request) => {
        const { object, oldObject } = request
        if (isDeepStrictEqual(signed(object), signed(oldObject))) return undefined
        return require(request, signerOf(oldObject), 'sign', 'sign requests with')
      },
    },
    {
      name: 'ClusterTrustBundleAttest',
      handles: (target) =>
        isTarget(target, {
          ...{ group, plural: 'clustertrustbundles', operations: ['CREATE', 'UPDATE'] },
        }),
      validate: (request) => {
        const { object, oldObject } = request
        const signer = signerOf(object)
        if (object === undefined || signer === '') return undefined
        if (oldObject !== undefined && changesOwnersOnly(object, oldObject)) return undefined
        return require(request, signer, 'attest', 'attest for')
      },
    },
  ]
}

function signerOf(object: ApiObject | undefined): string {
  const spec = object?.['spec']
  return isObject(spec) && typeof spec['signerName'] === 'string' ? spec['signerName'] : ''
}

function signed(object: ApiObject | undefined): unknown {
  const status = object?.['status']
  return isObject(status) ? [status['certificate'], status['conditions'] ?? []] : [undefined, []]
}

/** Reports whether the user has the right on the signer, or on all signers of its domain. */
async function isAllowed(
  authorize: Authorizer,
  { context }: AdmissionRequest,
  signer: string,
  verb: string,
): Promise<boolean> {
  const [domain = ''] = signer.split('/')
  for (const name of [signer, `${domain}/*`]) {
    const { allowed } = await authorize({
      ...{ user: context.user, verb, isResource: true, path: '', namespace: '', name },
      ...{ group, version: '*', resource: 'signers', subresource: '' },
    })
    if (allowed) return true
  }
  return false
}
