import type { ApiObject, OwnerReference } from '../../../meta/types.ts'
import type { AnswerRequest } from '../../../registry/answers.ts'
import { ignoreAlreadyExists } from '../../../registry/ignoring.ts'
import type { AnsweredSubresource } from '../../../registry/resource.ts'
import { systemContext } from '../../../registry/systemContext.ts'
import { flag, secretString, string } from '../../schema.ts'
import { answeredKind, answerObject, managementResource } from '../managementKind.ts'
import type { Platform } from '../platform.ts'
import { projectOfNamespace } from '../projects/projectName.ts'

/** The access key that the agent of a connected cluster uses for the platform. Source: platform facts 3.2. */
export function clusterAccessKey(platform: Platform): AnsweredSubresource {
  const { names } = platform
  const kind = 'ClusterAccessKey'
  const shape = {
    names,
    kind,
    plural: 'clusters',
    description: `${kind} contains the access key with which the agent of a connected cluster reaches the platform.`,
    fields: {
      accessKey: secretString('The access key of the agent.'),
      [`${names.platform}Host`]: string(
        'Address at which the agent reaches the platform, without scheme.',
      ),
      insecure: flag('The agent does not verify the certificate of the platform.'),
      caCert: string('Certificates trusted by the agent: PEM in base64.'),
    },
  }
  const get = async ({ name }: AnswerRequest): Promise<ApiObject> => {
    const cluster = platform.access.store(managementResource(names, 'clusters'))
    const object = await cluster.durable({ namespace: '', name })
    const accessKey = await agentKey(platform, {
      purpose: 'cluster',
      parent: object,
      owner: object,
      labels: { [`${names.domain}/cluster`]: name },
      scope: { roles: [{ role: 'agent' }], clusters: [{ cluster: name }] },
    })
    const ca = platform.caCertificate()
    return answerObject(names, kind, {
      metadata: { name },
      accessKey,
      [`${names.platform}Host`]: platform.host() ?? new URL(platform.url()).host,
      ...(ca === undefined ? {} : { caCert: Buffer.from(ca).toString('base64') }),
    })
  }
  return { name: 'accesskey', verbs: ['get'], resource: answeredKind(shape, ['get'], { get }) }
}

/** The access key that a virtual cluster uses for the platform. Source: platform facts 3.2. */
export function virtualClusterAccessKey(platform: Platform): AnsweredSubresource {
  const { names } = platform
  const kind = 'VirtualClusterAccessKey'
  const shape = {
    names,
    kind,
    plural: 'virtualclusterinstances',
    namespaced: true,
    description: `${kind} is the access key with which a virtual cluster authenticates to the platform.`,
    fields: { accessKey: secretString('The access key of the virtual cluster.') },
  }
  const get = async ({ namespace, name }: AnswerRequest): Promise<ApiObject> => {
    const { access } = platform
    const instances = access.store(managementResource(names, 'virtualclusterinstances'))
    const namespaces = access.store({ group: '', resource: 'namespaces' })
    const project = projectOfNamespace(platform, namespace)
    const accessKey = await agentKey(platform, {
      purpose: 'vcluster',
      parent: await instances.durable({ namespace, name }),
      // A key has no namespace, so only a cluster-scoped object can own it.
      owner: await namespaces.durable({ namespace: '', name: namespace }),
      labels: { [`${names.domain}/project`]: project, [`${names.domain}/vcluster`]: name },
      scope: { roles: [{ role: 'vcluster', projects: [project], virtualClusters: [name] }] },
    })
    return answerObject(names, kind, { metadata: { name, namespace }, accessKey })
  }
  return { name: 'accesskey', verbs: ['get'], resource: answeredKind(shape, ['get'], { get }) }
}

interface AgentKey {
  purpose: 'cluster' | 'vcluster'
  /** Object that the key is created for. */
  parent: ApiObject
  /** Object that the key is deleted with. */
  owner: ApiObject
  labels: Record<string, string>
  scope: Record<string, unknown>
}

const suffixLength = 20

/** The agent's key, stored on the first request. An administrator may disable it. */
async function agentKey(platform: Platform, wanted: AgentKey): Promise<string> {
  const { names, access } = platform
  const { purpose, parent, owner, labels, scope } = wanted
  const { uid = '', name = '' } = parent.metadata
  const key = await platform.derivedAccessKey(`${purpose}/${uid}`)
  // Users choose the names of keys, so a guessable name could be taken in advance.
  const suffix = (await platform.derivedAccessKey(`name/${purpose}/${uid}`)).slice(0, suffixLength)
  const store = access.store(managementResource(names, 'ownedaccesskeys'))
  const object = answerObject(names, store.resource.kind, {
    metadata: { name: `${purpose}-${suffix}`, labels, ownerReferences: [ownerReference(owner)] },
    spec: {
      displayName: `Agent of ${parent.kind} ${name}`,
      subject: `${names.platform}:${purpose}:${uid}`,
      type: 'Other',
      key,
      scope,
    },
  })
  await store.create(object, systemContext()).catch(ignoreAlreadyExists)
  return key
}

function ownerReference({ kind, apiVersion, metadata }: ApiObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '' }
}
