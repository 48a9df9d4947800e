import { expect } from 'chai'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { useTestServer } from '../endpoints/support/testServer.ts'

const namespace = '/api/v1/namespaces/workloads'
const pods = `${namespace}/pods?dryRun=All`
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount'
const stays = (key: string) => ({
  ...{ key: `node.kubernetes.io/${key}`, operator: 'Exists', effect: 'NoExecute' },
  tolerationSeconds: 300,
})

interface Spec {
  [field: string]: unknown
  volumes?: { name: string }[]
}

/** Source: seen on kube-apiserver 1.37.2. */
describe('plugins for workloads', () => {
  const server = useTestServer({
    enableAdmissionPlugins: [
      ...['ServiceAccount', 'Priority', 'DefaultTolerationSeconds', 'TaintNodesByCondition'],
      ...['PersistentVolumeClaimResize', 'StorageObjectInUseProtection'],
    ],
  })
  let admin: HttpClient
  before(async () => {
    ;({ admin } = server())
    await admin.post('/api/v1/namespaces', { metadata: { name: 'workloads' } })
    const quiet = { metadata: { name: 'quiet' }, automountServiceAccountToken: false }
    await admin.post(`${namespace}/serviceaccounts`, {
      ...quiet,
      imagePullSecrets: [{ name: 'ps' }],
    })
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses'
    await admin.post(classes, { metadata: { name: 'high' }, value: 77, preemptionPolicy: 'Never' })
  })

  const pod = (spec: object = {}) => ({
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  })

  async function created(spec: object = {}): Promise<Spec> {
    const answer = await admin.post(pods, pod(spec))
    expect(answer.status, answer.text).to.equal(201)
    return answer.field('spec') as Spec
  }

  it('run pods as the default account with a token, even right after their namespace was created', async () => {
    const { serviceAccountName, volumes = [], containers } = await created()
    const [{ name, ...volume } = { name: '' }] = volumes
    expect(serviceAccountName).to.equal('default')
    expect(name).to.match(/^kube-api-access-[a-z0-9]{5}$/)
    expect(volume).to.deep.equal({
      projected: {
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
          { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          {
            downwardAPI: {
              items: [
                {
                  path: 'namespace',
                  fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' },
                },
              ],
            },
          },
        ],
        defaultMode: 420,
      },
    })
    const [{ volumeMounts } = { volumeMounts: undefined }] = containers as {
      volumeMounts?: object
    }[]
    expect(volumeMounts).to.deep.equal([{ name, readOnly: true, mountPath }])
  })

  it('mount no token if the account declines it, and add its pull secrets', async () => {
    const { volumes, imagePullSecrets } = await created({ serviceAccountName: 'quiet' })
    expect([volumes, imagePullSecrets]).to.deep.equal([undefined, [{ name: 'ps' }]])
  })

  const refused: { name: string; spec: object; why: string }[] = [
    {
      name: 'an account that is missing',
      spec: { serviceAccountName: 'nope' },
      why: 'error looking up service account workloads/nope: serviceaccount "nope" not found',
    },
    {
      name: 'a class that is missing',
      spec: { priorityClassName: 'nope' },
      why: 'no PriorityClass with name nope was found',
    },
    {
      name: 'a priority that its class does not have',
      spec: { priority: 7 },
      why: 'the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    },
    {
      name: 'a policy that its class does not have',
      spec: { priorityClassName: 'high', preemptionPolicy: 'PreemptLowerPriority' },
      why: 'the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name',
    },
  ]
  for (const { name, spec, why } of refused) {
    it(`refuse a pod with ${name}`, async () => {
      const answer = await admin.post(pods, pod(spec))
      expect([answer.status, answer.field('message')]).to.deep.equal([
        403,
        `pods "p" is forbidden: ${why}`,
      ])
    })
  }

  it('give pods the priority of their class', async () => {
    const { priority, preemptionPolicy } = await created({ priorityClassName: 'high' })
    expect([priority, preemptionPolicy]).to.deep.equal([77, 'Never'])
    const plain = await created()
    expect([plain['priority'], plain['preemptionPolicy']]).to.deep.equal([
      0,
      'PreemptLowerPriority',
    ])
  })

  it('keep pods for five minutes on unreachable nodes unless they set a toleration', async () => {
    expect((await created())['tolerations']).to.deep.equal([
      stays('not-ready'),
      stays('unreachable'),
    ])
    const own = { ...stays('not-ready'), tolerationSeconds: 5 }
    const { tolerations } = await created({ tolerations: [own] })
    expect(tolerations).to.deep.equal([own, stays('unreachable')])
  })

  it('taint new nodes as not ready', async () => {
    const node = await admin.post('/api/v1/nodes?dryRun=All', { metadata: { name: 'n' } })
    expect(node.field('spec', 'taints')).to.deep.equal([
      { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
    ])
  })

  it('give claims the default class, which decides whether they can be expanded', async () => {
    const classes = '/apis/storage.k8s.io/v1/storageclasses'
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' }
    await admin.post(classes, { metadata: { name: 'fixed', annotations }, provisioner: 'x/y' })
    const claims = `${namespace}/persistentvolumeclaims`
    const resources = (storage: string) => ({ requests: { storage } })
    const claim = await admin.post(claims, {
      metadata: { name: 'a' },
      spec: { accessModes: ['ReadWriteOnce'], resources: resources('1Gi') },
    })
    expect(claim.field('spec', 'storageClassName')).to.equal('fixed')
    expect(claim.field('metadata', 'finalizers')).to.deep.equal(['kubernetes.io/pvc-protection'])
    const merge = { 'content-type': 'application/merge-patch+json' }
    const patch = (path: string, body: object) =>
      admin.call(path, { method: 'PATCH', body, headers: merge })
    await patch(`${claims}/a/status`, { status: { phase: 'Bound', capacity: { storage: '1Gi' } } })
    const grown = await patch(`${claims}/a`, { spec: { resources: resources('2Gi') } })
    expect([grown.status, grown.field('message')]).to.deep.equal([
      403,
      'persistentvolumeclaims "a" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    ])
  })
})
