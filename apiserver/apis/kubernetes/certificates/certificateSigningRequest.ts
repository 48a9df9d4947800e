import type { ApiObject } from '../../../meta/types.ts'
import type { ParentSubresource, ResourceDefinition } from '../../../registry/resource.ts'
import type { RequestContext } from '../../../registry/strategy.ts'
import { ageColumn, humanDuration, nameColumn } from '../../../registry/table.ts'
import { cellColumn, textColumn } from '../../columns.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { refusedLabel } from '../fieldLabels.ts'
import { requestErrors, requestUpdateErrors } from './signingRequestRules.ts'
import { keepConditions, setConditionTimes } from './requestConditions.ts'
import { requestSpec, requestStatus } from './requestShapes.ts'

/**
 * Definition of the CertificateSigningRequest kind. Requests are only stored; signers act on approved ones.
 * Source: Kubernetes API reference, CertificateSigningRequest v1; seen on kube-apiserver 1.37.2.
 */
export function certificateSigningRequestResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'certificates.k8s.io',
    version: 'v1',
    plural: 'certificatesigningrequests',
    kind: 'CertificateSigningRequest',
    namespaced: false,
    shortNames: ['csr'],
    description: 'CertificateSigningRequest requests a certificate from a signer.',
    strategy: {
      nameRule: 'own',
      generation: 'none',
      prepareForCreate: setRequestor,
      prepareForUpdate: (next, old) => {
        next['spec'] = structuredClone(old['spec'])
      },
      validate: (object) => requestErrors(object),
      validateUpdate: requestUpdateErrors({}),
    },
    subresources: [approvalSubresource, statusSubresource],
    resets: [['f:spec'], ['f:status']],
    selectableFields: { 'spec.signerName': (object) => requestSpec(object).signerName ?? '' },
    isNamespaceSelectable: false,
    refusedField: refusedLabel,
    columns: [
      nameColumn,
      ageColumn,
      cellColumn('SignerName', 'Requested signer.', (object) => {
        const { signerName = '' } = requestSpec(object)
        return signerName === '' ? '<none>' : signerName
      }),
      textColumn('Requestor', 'spec.username', 'User who created the request.'),
      cellColumn('RequestedDuration', 'Requested validity of the certificate.', durationText),
      cellColumn('Condition', 'Status of the request.', conditionText),
    ],
  })
}

const verbs = ['get', 'update', 'patch'] as const

const approvalSubresource: ParentSubresource = {
  name: 'approval',
  verbs,
  strategy: {
    resetsContent: true,
    prepareForUpdate: (next, old) => {
      setConditionTimes(next, old)
      const { conditions } = requestStatus(next)
      next['status'] = { ...structuredClone(requestStatus(old)), ...(conditions && { conditions }) }
      if (conditions === undefined) delete requestStatus(next).conditions
    },
    validateUpdate: requestUpdateErrors({ setsApproval: true }),
  },
  resets: [['f:status', 'f:certificate']],
}

const statusSubresource: ParentSubresource = {
  name: 'status',
  verbs,
  strategy: {
    resetsContent: true,
    prepareForUpdate: (next, old) => {
      keepConditions(next, old)
      setConditionTimes(next, old)
    },
    validateUpdate: requestUpdateErrors({ setsCertificate: true }),
  },
  resets: [['f:status', 'f:conditions']],
}

/** Sets the requester to the user of the request, regardless of the object's content. */
function setRequestor(object: ApiObject, { user }: RequestContext): void {
  const {
    username: _name,
    uid: _uid,
    groups: _groups,
    extra: _extra,
    ...spec
  } = requestSpec(object)
  object['spec'] = {
    ...spec,
    ...(user.name === '' ? {} : { username: user.name }),
    ...(user.uid === '' ? {} : { uid: user.uid }),
    ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
    ...(Object.keys(user.extra).length === 0 ? {} : { extra: structuredClone(user.extra) }),
  }
}

function durationText(object: ApiObject): string {
  const { expirationSeconds } = requestSpec(object)
  return expirationSeconds === undefined ? '<none>' : humanDuration(expirationSeconds * 1000)
}

function conditionText(object: ApiObject): string {
  const { conditions = [], certificate = '' } = requestStatus(object)
  const has = (wanted: string) => conditions.some(({ type }) => type === wanted)
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'
  const parts = [decision, ...(has('Failed') ? ['Failed'] : []), ...(certificate ? ['Issued'] : [])]
  return parts.join(',')
}
