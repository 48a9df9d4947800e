import {
  certifiedTarget,
  certifiedUids,
} from '../../../authentication/certificates/clientCertificates.ts'
import { invalidField } from '../../../meta/fieldErrors.ts'
import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import { badRequest, forbidden, invalid } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { AnswerRequest } from '../../../registry/answers.ts'
import type { AnsweredSubresource } from '../../../registry/resource.ts'
import { kubeconfigDocument, type ClientProof } from '../../kubeconfigDocument.ts'
import { flag, secretString, struct, string } from '../../schema.ts'
import { objectIfAny } from '../../storeReads.ts'
import { answeredKind, answerObject, managementResource } from '../managementKind.ts'
import type { Platform } from '../platform.ts'
import { projectOfNamespace } from '../projects/projectName.ts'

const kind = 'VirtualClusterInstanceKubeConfig'
const plural = 'virtualclusterinstances'
const daySeconds = 24 * 60 * 60
/** Default lifetime of signed certificates. */
const signingSeconds = 365 * daySeconds
/** Name of the kubeconfig's user entry, as command-line clients expect. */
const userEntry = 'vcluster'

interface KubeConfigSpec {
  certificateTTL?: number
  server?: string
  clientCert?: boolean
}

/** Access to a virtual cluster through its ingress endpoint. Source: specification, "VirtualClusterInstanceKubeConfig";
 *  platform facts 1.6. */
export function kubeConfigSubresource(platform: Platform): AnsweredSubresource {
  const { names } = platform
  const fields = {
    spec: struct(specFields, 'Requested configuration.'),
    status: struct(
      { kubeConfig: secretString('The cluster client configuration as a YAML document.') },
      'Result of the request.',
    ),
  }
  const description = `${kind} is the cluster client configuration of a virtual cluster.`
  const shape = { names, kind, plural, namespaced: true, description, fields }
  const create = (object: ApiObject, request: AnswerRequest) => answer(object, request, platform)
  return {
    name: 'kubeconfig',
    verbs: ['create'],
    resource: answeredKind(shape, ['create'], { create }),
  }
}

const specFields = {
  certificateTTL: {
    type: 'integer',
    format: 'int32',
    description:
      'Validity of the credentials in seconds. Absent: one day; 0: the default signing duration of one year.',
  },
  server: string('Overrides the server address.'),
  clientCert: flag('Puts a client certificate into the kubeconfig instead of a platform token.'),
} as const

async function answer(
  object: ApiObject,
  request: AnswerRequest,
  platform: Platform,
): Promise<ApiObject> {
  const { names } = platform
  const { name, namespace } = request
  // Guaranteed by the schema.
  const spec = (object['spec'] ?? {}) as KubeConfigSpec
  checkLife(spec, names, name)
  const { address, caCertificate } = await endpoint(platform, request)
  const status: Record<string, string> = {}
  if (!request.dryRun) {
    const proof = spec.clientCert === true ? certificate : platformToken
    status['kubeConfig'] = kubeconfigDocument({
      name,
      server: spec.server ?? address,
      caCertificate,
      user: userEntry,
      proof: await proof(spec, request, platform),
    })
  }
  const metadata = { name, namespace }
  return answerObject(names, kind, { metadata, spec: { ...spec }, status })
}

function checkLife({ certificateTTL: ttl = 0 }: KubeConfigSpec, names: NamesProfile, name: string) {
  if (ttl >= 0) return
  const error = invalidField('spec.certificateTTL', ttl, 'must be greater than or equal to 0')
  throw invalid({ group: managementGroup(names), kind }, name, [error])
}

function lifeSeconds({ certificateTTL = daySeconds }: KubeConfigSpec): number {
  return certificateTTL === 0 ? signingSeconds : certificateTTL
}

interface Endpoint {
  address: string
  /** PEM; undefined: the client's system trust store. */
  caCertificate: string | undefined
}

/**
 * The address of the ingress: a connected cluster may define the domain of its ingresses; otherwise it is this server.
 * @throws StatusError NotFound; BadRequest if the virtual cluster has no ingress.
 */
async function endpoint(platform: Platform, { namespace, name }: AnswerRequest): Promise<Endpoint> {
  const { names, access } = platform
  const instance = await access
    .store(managementResource(names, plural))
    .durable({ namespace, name })
  // Guaranteed by the schema.
  const { spec, status } = instance as InstanceAccess & ApiObject
  const template = status?.virtualCluster ?? spec?.template
  if (template?.accessPoint?.ingress?.enabled !== true) {
    throw badRequest(
      `virtual cluster ${namespace}/${name} has no ingress endpoint: enable accessPoint.ingress in its template`,
    )
  }
  const project = projectOfNamespace(platform, namespace)
  const suffix = ingressSuffix(platform, spec?.clusterRef?.cluster)
  if (suffix !== undefined) {
    return { address: `https://${name}-${project}.${suffix}`, caCertificate: undefined }
  }
  const path = `/${names.proxySegment}/project/${project}/virtualcluster/${name}`
  return { address: platform.url() + path, caCertificate: platform.caCertificate() }
}

interface InstanceAccess {
  spec?: { clusterRef?: { cluster?: string }; template?: TemplateAccess }
  status?: { virtualCluster?: TemplateAccess }
}

interface TemplateAccess {
  accessPoint?: { ingress?: { enabled?: boolean } }
}

function ingressSuffix({ names, access }: Platform, name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const store = access.store(managementResource(names, 'clusters'))
  const cluster = objectIfAny(store, { namespace: '', name })
  return cluster?.metadata.annotations?.[`${names.domain}/ingress-suffix`]
}

/** An access key of the caller, restricted to this virtual cluster. */
async function platformToken(
  spec: KubeConfigSpec,
  request: AnswerRequest,
  platform: Platform,
): Promise<ClientProof> {
  const { names, access } = platform
  const { credential } = request.user
  const { name, namespace } = request
  if (credential?.user === undefined && credential?.team === undefined) {
    const why = 'a platform token is given to users and teams alone; ask for a client certificate'
    throw forbidden(managementResource(names, `${plural}/kubeconfig`), name, why)
  }
  const store = access.store(managementResource(names, 'ownedaccesskeys'))
  const project = projectOfNamespace(platform, namespace)
  const key = answerObject(names, store.resource.kind, {
    metadata: {
      generateName: 'kubeconfig-',
      labels: { [`${names.domain}/project`]: project, [`${names.domain}/vcluster`]: name },
    },
    spec: {
      displayName: `Kube config of virtual cluster ${name} of project ${project}`,
      ...(credential.user === undefined ? { team: credential.team } : { user: credential.user }),
      type: 'Other',
      ttl: lifeSeconds(spec),
      scope: { virtualClusters: [{ project, virtualCluster: name }] },
    },
  })
  const { bytes } = await store.create(key, { ...request, isTrusted: true })
  // A created access key shows its value to its creator.
  const created = JSON.parse(bytes.toString('utf8')) as { spec: { key: string } }
  return { token: created.spec.key }
}

async function certificate(
  spec: KubeConfigSpec,
  { user, name, namespace }: AnswerRequest,
  platform: Platform,
): Promise<ClientProof> {
  const project = projectOfNamespace(platform, namespace)
  const { names } = platform
  const instance = await platform.access
    .store(managementResource(names, plural))
    .durable({ namespace, name })
  // The certificate authenticates the user without the credential's scope, so it also contains its
  // targets, with uids that distinguish later objects of the same names.
  const targets = [
    certifiedTarget(names, { project, virtualCluster: name }),
    certifiedUids(names, instance.metadata.uid ?? '', user.uid),
  ]
  const subject = { user: user.name, groups: user.groups, targets }
  const issued = await platform.issueClientCertificate(subject, lifeSeconds(spec))
  if (issued !== undefined) return issued
  const why = 'the server has no certificate authority of its own to sign with'
  const error = invalidField('spec.clientCert', true, why)
  throw invalid({ group: managementGroup(platform.names), kind }, name, [error])
}
