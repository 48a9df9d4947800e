import { asPod } from '../../../apis/kubernetes/core/pod/podTypes.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import { StatusError } from '../../../meta/status.ts'
import { plainError } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { mirrorAnnotation } from './nodePods.ts'
import { existing, isAllowed, require, type NodeRequest } from './nodeRequest.ts'
import { podCertificateSigners } from './nodeTokens.ts'

interface RequestSpec {
  nodeName?: string
  nodeUID?: string
  podName?: string
  podUID?: string
  serviceAccountName?: string
  serviceAccountUID?: string
  signerName?: string
}

/**
 * Requires that a pod's certificate is requested by the pod's node, for the pod's service account.
 */
export async function admitPodCertificate(given: NodeRequest): Promise<void> {
  const { request, node: own } = given
  const { operation, subresource, object, namespace } = request
  require(operation === 'CREATE', given, `unexpected operation ${operation}`)
  require(subresource === '', given, `unexpected subresource ${subresource}`)
  const spec = (object?.['spec'] ?? {}) as RequestSpec // typed by its schema
  const { nodeName = '', podName = '', serviceAccountName: account = '', signerName = '' } = spec
  const place = goQuote(`${namespace}/${podName}`)
  require(nodeName ===
    own, given, `PodCertificateRequest.Spec.NodeName=${goQuote(nodeName)}, which is not the requesting node ${goQuote(own)}`)
  const named = 'named in the PodCertificateRequest'
  const node = named404(`while retrieving node ${goQuote(nodeName)} ${named}`, () =>
    existing(given, { group: '', resource: 'node', name: nodeName }),
  )
  sameUid(
    node,
    spec.nodeUID,
    (asked, real) =>
      `PodCertificateRequest for pod ${place} names node UID ${asked}, inconsistent with the running node (${real})`,
  )
  const pod = asPod(
    named404(`while retrieving pod ${place} ${named}`, () =>
      existing(given, { group: '', resource: 'pod', namespace, name: podName }),
    ),
  )
  sameUid(
    pod,
    spec.podUID,
    (asked, real) =>
      `PodCertificateRequest for pod ${place} contains pod UID (${asked}) which differs from running pod ${real}`,
  )
  require(pod.spec.nodeName ===
    nodeName, given, `pod ${place} is not running on node ${goQuote(nodeName)} ${named}`)
  require(pod.metadata.annotations?.[mirrorAnnotation] ===
    undefined, given, `pod ${place} is a mirror pod`)
  const running = pod.spec.serviceAccountName ?? ''
  require(account ===
    running, given, `PodCertificateRequest for pod ${place} contains serviceAccountName (${goQuote(account)}) that differs from running pod (${goQuote(running)})`)
  const found = named404(
    `while retrieving service account ${goQuote(`${namespace}/${account}`)} ${named}`,
    () => existing(given, { group: '', resource: 'serviceaccount', namespace, name: account }),
  )
  sameUid(
    found,
    spec.serviceAccountUID,
    (asked, real) =>
      `PodCertificateRequest for pod ${place} names service account UID ${asked}, which differs from the running service account (${real})`,
  )
  if (podCertificateSigners(pod).includes(signerName)) return
  const right = {
    verb: 'request-serviceaccounts-podcertificate-signer',
    resource: signerName.replaceAll('/', ':'),
    name: account,
  }
  require(await isAllowed(
    given,
    right,
  ), given, `pod ${place} does not mount a podCertificate projected volume for signer ${goQuote(signerName)}`)
}

/**
 * @throws StatusError with an unclassified reason instead of NotFound, so that the node retries.
 */
function named404(what: string, find: () => ApiObject): ApiObject {
  try {
    return find()
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    throw plainError(`${what}: ${error.message}`, error)
  }
}

function sameUid(
  { metadata }: ApiObject,
  asked = '',
  say: (asked: string, real: string) => string,
): void {
  const { uid = '' } = metadata
  if (asked !== uid) throw plainError(say(goQuote(asked), goQuote(uid)))
}
