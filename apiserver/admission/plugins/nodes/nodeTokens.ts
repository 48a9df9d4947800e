import type { Volume } from '../../../apis/kubernetes/shapes/coreV1.ts'
import { aggregateText } from '../../../meta/fieldErrors.ts'
import { asPod, type Pod } from '../../../apis/kubernetes/core/pod/podTypes.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import { StatusError } from '../../../meta/status.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { existing, isAllowed, require, type NodeRequest } from './nodeRequest.ts'

interface TokenSpec {
  boundObjectRef?: { apiVersion?: string; kind?: string; name?: string; uid?: string }
  /** Audiences; null if absent. */
  audiences?: string[] | null
}

/**
 * Restricts service account tokens to pods of the node, and to audiences that such a pod mounts.
 */
export async function admitToken(given: NodeRequest): Promise<void> {
  const { request, node } = given
  const { operation, subresource, object, namespace } = request
  if (operation !== 'CREATE' || subresource !== 'token') return
  // Guaranteed by its schema.
  const { boundObjectRef: bound, audiences } = (object?.['spec'] ?? {}) as TokenSpec
  const name = bound?.apiVersion === 'v1' && bound.kind === 'Pod' ? (bound.name ?? '') : ''
  const uid = bound?.uid ?? ''
  require(name !== '', given, 'node requested token not bound to a pod')
  require(uid !== '', given, 'node requested token with a pod binding without a uid')
  const pod = asPod(existing(given, { group: '', resource: 'pod', namespace, name }))
  require(uid ===
    pod.metadata
      .uid, given, `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`)
  require(pod.spec.nodeName ===
    node, given, 'node requested token bound to a pod scheduled on a different node')
  await checkAudience(given, pod, audiences ?? [])
}

async function checkAudience(
  given: NodeRequest,
  pod: Pod,
  audiences: readonly string[],
): Promise<void> {
  require(audiences.length < 2, given, 'node may only request 0 or 1 audiences')
  const [audience = ''] = audiences
  const { name, context } = given.request
  const { mounts, problems } = mountsAudience(given, pod, audience)
  if (mounts) return
  const why = aggregateText(problems)
  require(problems.length === 0, given, `error validating audience ${goQuote(audience)}: ${why}`)
  const right = { verb: 'request-serviceaccounts-token-audience', resource: audience, name }
  const refused = `${context.user.name} is not authorized to request tokens for audience ${goQuote(audience)}`
  require(await isAllowed(given, right), given, refused)
}

/**
 * Reports whether a volume of the pod gets tokens for an audience: directly, or through its storage
 * driver.
 */
function mountsAudience(
  given: NodeRequest,
  pod: Pod,
  audience: string,
): { mounts: boolean; problems: string[] } {
  const problems: string[] = []
  for (const volume of pod.spec.volumes ?? []) {
    if (tokenAudiences(volume).includes(audience)) return { mounts: true, problems }
    try {
      const driver = driverOf(given, pod, volume)
      if (driver !== '' && driverAudiences(given, driver).includes(audience)) {
        return { mounts: true, problems }
      }
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      problems.push(error.message)
    }
  }
  return { mounts: false, problems }
}

function tokenAudiences(volume: Volume): unknown[] {
  const sources = part(volume, 'projected')['sources']
  return (Array.isArray(sources) ? sources : [])
    .filter(isObject)
    .filter((source) => isObject(source['serviceAccountToken']))
    .map((source) => part(source, 'serviceAccountToken')['audience'] ?? '')
}

/**
 * CSI drivers that replaced in-tree volume plugins. Source: Kubernetes, "Volumes", Migrating to CSI
 * drivers from in-tree plugins.
 */
const migrated: Readonly<Record<string, string>> = {
  gcePersistentDisk: 'pd.csi.storage.gke.io',
  awsElasticBlockStore: 'ebs.csi.aws.com',
  cinder: 'cinder.csi.openstack.org',
  azureDisk: 'disk.csi.azure.com',
  azureFile: 'file.csi.azure.com',
  vsphereVolume: 'csi.vsphere.vmware.com',
  portworxVolume: 'pxd.portworx.com',
}

/** Name of the storage driver of a volume; empty: none. @throws StatusError NotFound. */
function driverOf(given: NodeRequest, pod: Pod, volume: Volume): string {
  const template = part(volume, 'ephemeral')['volumeClaimTemplate']
  if (template !== undefined) {
    return driverOfClaim(given, `${pod.metadata.name}-${volume.name ?? ''}`)
  }
  const { claimName } = part(volume, 'persistentVolumeClaim')
  if (typeof claimName === 'string') return driverOfClaim(given, claimName)
  return driverIn(volume)
}

function driverOfClaim(given: NodeRequest, name: string): string {
  const { namespace } = given.request
  const claim = existing(given, { group: '', resource: 'persistentvolumeclaim', namespace, name })
  const volumeName = stringOf(part(claim, 'spec')['volumeName'])
  const volume = existing(given, { group: '', resource: 'persistentvolume', name: volumeName })
  return driverIn(part(volume, 'spec'))
}

function driverIn(source: object): string {
  const { driver } = part(source, 'csi')
  if (typeof driver === 'string') return driver
  return Object.entries(migrated).find(([name]) => name in source)?.[1] ?? ''
}

function driverAudiences(given: NodeRequest, name: string): unknown[] {
  const driver = existing(given, { group: 'storage.k8s.io', resource: 'csidriver', name })
  const requests = part(driver, 'spec')['tokenRequests']
  return (Array.isArray(requests) ? requests : [])
    .filter(isObject)
    .map(({ audience = '' }) => audience)
}

function part(object: object, name: string): Record<string, unknown> {
  const value = (object as Record<string, unknown>)[name]
  return isObject(value) ? value : {}
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/**
 * Signers named in the volumes of a pod. Exported for the rule about pod certificates, which gets
 * the pod from another source.
 */
export function podCertificateSigners(object: ApiObject): unknown[] {
  return (asPod({ ...object }).spec.volumes ?? []).flatMap((volume) => {
    const sources = part(volume, 'projected')['sources']
    return (Array.isArray(sources) ? sources : [])
      .filter(isObject)
      .map((source) => part(source, 'podCertificate')['signerName'])
  })
}
