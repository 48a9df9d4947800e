import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { keepMetadataContents } from '../../../registry/write/keepMetadata.ts'
import { nameColumn } from '../../../registry/table.ts'
import { cellColumn, wide } from '../../columns.ts'
import { unchanged } from '../../fieldChecks.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import type { PodCertificateRequestSpec } from '../shapes/certificatesV1.ts'
import { requestedErrors } from './podRequestRules.ts'
import type { PodRequest } from './podRequestShapes.ts'
import { mayBeSigned } from './podRequestSigning.ts'
import { podRequestStatusErrors } from './podRequestStatus.ts'

const states = ['Issued', 'Denied', 'Failed']

/**
 * Definition of the PodCertificateRequest kind. Source: Kubernetes API reference, PodCertificateRequest v1; seen on
 * kube-apiserver 1.37.2.
 */
export function podCertificateRequestResource({ types, access }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'certificates.k8s.io',
    version: 'v1',
    plural: 'podcertificaterequests',
    kind: 'PodCertificateRequest',
    namespaced: true,
    description: 'PodCertificateRequest requests a certificate for a pod from a signer.',
    selectableFields: {
      'spec.signerName': (object) => specOf(object).signerName ?? '',
      'spec.podName': (object) => specOf(object).podName ?? '',
      'spec.nodeName': (object) => specOf(object).nodeName ?? '',
    },
    refusedField: (path) => `field label not supported: ${path}`,
    strategy: {
      generation: 'none',
      allowUnconditionalUpdate: false,
      validate: (object) => requestedErrors(specOf(object)),
      validateUpdate: (next, old) => unchanged('spec', next['spec'], old['spec']),
    },
    subresources: [
      statusSubresource(podRequestStatusErrors, {
        authorizeWrite: mayBeSigned(access),
        prepareForUpdate: keepMetadataContents,
        resets: [['f:metadata']],
      }),
    ],
    columns: [
      nameColumn,
      specColumn('PodName', 'Pod that the certificate is for.', ({ podName }) => podName),
      specColumn(
        'ServiceAccountName',
        'Service account of the pod.',
        ({ serviceAccountName }) => serviceAccountName,
      ),
      specColumn('NodeName', 'Node of the pod.', ({ nodeName }) => nodeName),
      specColumn('SignerName', 'Requested signer.', ({ signerName }) => signerName),
      cellColumn('State', 'Is the request Pending, Issued, Denied, or Failed?', stateText),
      wide(
        specColumn('UnverifiedUserAnnotations', 'Annotations for the signer.', (spec) =>
          annotationText(spec.unverifiedUserAnnotations ?? {}),
        ),
      ),
    ],
  })
}

function specOf({ spec }: ApiObject & PodRequest): PodCertificateRequestSpec {
  return spec ?? {}
}

function specColumn(
  name: string,
  description: string,
  cell: (spec: PodCertificateRequestSpec) => string | undefined,
) {
  return cellColumn(name, description, (object) => cell(specOf(object)) ?? '')
}

function stateText({ status }: PodRequest): string {
  const types = (status?.conditions ?? []).map(({ type = '' }) => type)
  return types.findLast((type) => states.includes(type)) ?? 'Pending'
}

function annotationText(annotations: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(annotations).map(([key, value]) => `${key}=${value}`)
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',')
}
