import { expect } from 'chai'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import { systemContext } from '../../../../apiserver/registry/systemContext.ts'
import { BuiltInKinds, onePod } from '../../../support/builtInKinds.ts'
import { refusal } from '../../../support/refusal.ts'
import { create } from '../../../support/stores.ts'

describe('stored forms of the core group', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  const causes = async (call: Promise<unknown>) => {
    const { details } = await refusal(call)
    return details?.causes?.map(({ field, message }) => `${field ?? ''}: ${message ?? ''}`)
  }

  const claim = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    volumeMode: 'Filesystem',
  }
  const source = { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'b' }
  const sources = [
    { name: 'a claim, for both fields', sent: { dataSource: source }, both: source },
    { name: 'any source, for both fields', sent: { dataSourceRef: source }, both: source },
    { name: 'nothing of an unknown kind', sent: { dataSource: { kind: 'X', name: 'b' } } },
    {
      name: 'nothing of another namespace',
      sent: { dataSourceRef: { ...source, namespace: 'c' } },
    },
  ]
  for (const { name, sent, both } of sources) {
    it(`of a claim's source: ${name}`, async () => {
      const { spec } = await kinds.create('PersistentVolumeClaim', { spec: { ...claim, ...sent } })
      const wanted = both === undefined ? {} : { dataSource: both, dataSourceRef: both }
      expect(spec).to.deep.equal({ ...claim, ...wanted })
    })
  }

  it('a claim has its class once, and no other status while unbound', async () => {
    const { metadata } = await kinds.create('PersistentVolumeClaim', { spec: claim })
    const request = kinds.request('PersistentVolumeClaim')
    const change = (spec: object) =>
      kinds
        .store('PersistentVolumeClaim')
        .update(
          request,
          { transform: () => kinds.object('PersistentVolumeClaim', { spec, metadata }) },
          request,
        )
    const fixed =
      'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
    const other = change({ ...claim, volumeAttributesClassName: 'a' })
    expect(await causes(other)).to.deep.equal([fixed])
    const block = change({ ...claim, volumeMode: 'Block' })
    expect(await causes(block)).to.deep.equal([
      fixed,
      'volumeMode: Invalid value: "Block": field is immutable',
    ])
    await change({ ...claim, storageClassName: 'a' })
    const { object } = kinds.store('PersistentVolumeClaim').newest(request)
    expect(object['spec']).to.deep.include({ storageClassName: 'a' })
  })

  it('a service account has only the names of its secrets', async () => {
    const made = await kinds.create('ServiceAccount', { secrets: [{ name: 'a', kind: 'x' }] })
    expect(made['secrets']).to.deep.equal([{ name: 'a' }])
  })

  it('a service with session affinity has its timeout', async () => {
    const spec = { ports: [{ port: 1 }], sessionAffinity: 'ClientIP' }
    const made = await kinds.create('Service', { spec })
    expect(made['spec']).to.deep.include({
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
    })
  })

  const types = [
    {
      name: 'an address becomes another name',
      sent: { type: 'ClusterIP' },
      next: { type: 'ExternalName', externalName: 'a.b' },
    },
    {
      name: 'a load balancer becomes an address',
      sent: { type: 'LoadBalancer', loadBalancerClass: 'a/b' },
      next: { type: 'ClusterIP' },
    },
  ]
  for (const { name, sent, next } of types) {
    it(`a service where ${name} has no fields of its former type`, async () => {
      const made = await kinds.create('Service', { spec: { ports: [{ port: 1 }], ...sent } })
      const request = kinds.request('Service')
      const spec = { ...(made['spec'] as object), ...next }
      const transform = () => kinds.object('Service', { spec, metadata: made.metadata })
      await kinds.store('Service').update(request, { transform }, request)
      const { spec: stored = {} } = kinds.store('Service').newest(request).object
      const gone = ['externalTrafficPolicy', 'allocateLoadBalancerNodePorts', 'loadBalancerClass']
      const ofAddress = ['clusterIP', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy']
      const isName = next.type === 'ExternalName'
      expect(stored).to.not.have.any.keys(...gone, ...(isName ? ofAddress : []))
    })
  }

  it('a headless service without a selector has both IP families', async () => {
    const spec = { ports: [{ port: 1 }], clusterIP: 'None' }
    const made = await kinds.create('Service', { spec })
    expect(made['spec']).to.deep.include({
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
    })
  })

  it('a service with external addresses has its traffic policy', async () => {
    const made = await kinds.create('Service', {
      spec: { ports: [{ port: 1 }], externalIPs: ['1.2.3.4'] },
    })
    expect(made['spec']).to.deep.include({ externalTrafficPolicy: 'Cluster' })
  })

  it('a node has its first pod range in both fields, and no configuration source', async () => {
    const made = await kinds.create('Node', {
      spec: { podCIDR: '10.0.0.0/24', configSource: { configMap: {} } },
    })
    expect(made['spec']).to.deep.equal({ podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] })
  })

  it('a node has the status of its creation, and ignores a status sent with its spec', async () => {
    const status = (phase: string) => ({ status: { phase } })
    const { metadata } = await kinds.create('Node', status('Pending'))
    const request = kinds.request('Node')
    const transform = () => kinds.object('Node', { ...status('Running'), metadata })
    await kinds.store('Node').update(request, { transform }, request)
    expect(kinds.store('Node').newest(request).object['status']).to.deep.include({
      phase: 'Pending',
    })
  })

  it('a bound volume keeps its source', async () => {
    const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] }
    const { metadata } = await kinds.create('PersistentVolume', {
      spec: { ...spec, hostPath: { path: '/a' } },
    })
    const next = { spec: { ...spec, hostPath: { path: '/b' } }, metadata }
    const request = kinds.request('PersistentVolume')
    const transform = () => kinds.object('PersistentVolume', next)
    const update = kinds.store('PersistentVolume').update(request, { transform }, request)
    expect(await causes(update)).to.deep.equal([
      'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation',
    ])
  })

  const own = { subsets: [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ port: 1 }] }] }

  it('endpoints keep an address set by the server', async () => {
    const said =
      'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'
    expect(await causes(kinds.create('Endpoints', own))).to.deep.equal([said])
    const store = kinds.store('Endpoints')
    await create(store, kinds.object('Endpoints', own), systemContext())
    const request = kinds.request('Endpoints')
    const transform = (old: ApiObject) => ({
      ...old,
      metadata: { ...old.metadata, labels: { a: 'b' } },
    })
    await store.update(request, { transform }, request)
    expect(store.newest(request).object.metadata.labels).to.deep.equal({ a: 'b' })
  })

  it('errors of metadata and content are reported together and nothing is stored', async () => {
    const metadata = { name: 'A_', labels: { a: 'b c' } }
    const told = await causes(kinds.create('Pod', { metadata, spec: { ...onePod, hostname: 'A' } }))
    expect(told?.map((one) => one.split(':')[0])).to.deep.equal([
      'metadata.name',
      'metadata.labels',
      'spec.hostname',
    ])
  })
})
