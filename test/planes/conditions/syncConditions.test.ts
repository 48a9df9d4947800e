import { expect } from 'chai'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import { SyncConditions } from '../../../apiserver/planes/conditions/syncConditions.ts'
import { systemContext } from '../../../apiserver/registry/systemContext.ts'
import type { Store } from '../../../apiserver/registry/store.ts'
import { eventually, turns } from '../../support/eventually.ts'
import { openPlanes, type OpenPlanes } from '../../support/planes.ts'
import { openStores, type Stores } from '../../support/stores.ts'

const target = { namespace: 'p-shop', name: 'web' }
const valuesOf = (patch: object) =>
  JSON.stringify({ sync: { toHost: { endpoints: { patches: [patch] } } } })

describe('SyncConditions', () => {
  let stores: Stores
  let open: OpenPlanes
  let instances: Store
  let warned: unknown[]
  let reported: unknown[]
  let failures: number

  beforeEach(async () => {
    stores = await openStores()
    open = await openPlanes(stores)
    const { plane, parts } = open.management
    instances = plane.storeOf(parts.kinds.virtualClusterInstances)
    // The controllers of the server use the same objects.
    open.planes.close()
    warned = []
    reported = []
    failures = 0
    const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'p-shop' } }
    const namespaces = plane.storeOf(parts.kinds.namespaces)
    await namespaces.create(namespace, systemContext())
  })

  afterEach(async () => {
    open.close()
    await stores.close()
  })

  function start(): SyncConditions {
    const check = () =>
      failures-- > 0 ? Promise.reject(new Error('the sandbox is busy')) : Promise.resolve()
    const conditions = new SyncConditions({
      instances,
      clock: stores.clock,
      runtime: () => Promise.resolve({ check }),
      warn: (fields, message) => void warned.push([message, fields]),
      report: (error) => void reported.push(String(error)),
    })
    conditions.start()
    return conditions
  }

  const make = (values: string) =>
    instances.create(
      {
        kind: instances.resource.kind,
        apiVersion: instances.apiVersion,
        metadata: { ...target },
        spec: { template: { helmRelease: { values } } },
      },
      systemContext(),
    )
  const stored = (): ApiObject | undefined => instances.cache.get(instances.keyOf(target))?.object()
  const condition = () => {
    // The schema defines the members of a status.
    const status = stored()?.['status'] as { conditions?: { status: string }[] } | undefined
    return status?.conditions?.[0]
  }

  it('warns once about each problem, and writes it once', async () => {
    const wrong =
      'sync.toHost.endpoints.patches[0] need to use one of: expression, labels or reference'
    const first = start()
    await make(valuesOf({ path: 'a' }))
    await eventually(stores.clock, () => condition()?.status === 'False')
    expect(warned).to.deep.equal([
      [
        'a virtual cluster has a sync configuration that cannot be used',
        { instance: 'p-shop/web', problem: wrong },
      ],
    ])
    first.stop()
    const resourceVersion = stored()?.metadata.resourceVersion
    const second = start()
    await turns(50)
    second.stop()
    expect(stored()?.metadata.resourceVersion).to.equal(resourceVersion)
    expect(warned.length).to.equal(1)
  })

  it('reports nothing while expressions cannot be checked, and retries', async () => {
    failures = 2
    const conditions = start()
    await make(valuesOf({ path: 'a', expression: 'value' }))
    await eventually(stores.clock, () => condition()?.status === 'True')
    conditions.stop()
    expect(reported).to.deep.equal(['Error: the sandbox is busy', 'Error: the sandbox is busy'])
    expect(warned).to.deep.equal([])
  })
})
