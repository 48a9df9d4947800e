import { expect } from 'chai'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import type { ResourceDefinition } from '../../../../apiserver/registry/resource.ts'
import { clientContext } from '../../../support/contexts.ts'
import { refusal } from '../../../support/refusal.ts'
import { BuiltInKinds } from '../../../support/builtInKinds.ts'
import { canonical, create, shown } from '../../../support/stores.ts'

describe('kinds served in two versions', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  const inGroup = (group: string, version: string, kind: string): ResourceDefinition => {
    const found = kinds.resources.find(
      (one) => one.group === group && one.version === version && one.kind === kind,
    )
    if (found === undefined) throw new Error(`there is no ${kind} in ${group}/${version}`)
    return found
  }
  const content = ({ kind: _kind, apiVersion: _version, metadata: _meta, ...rest }: ApiObject) =>
    rest

  const event = {
    eventTime: '2030-01-01T00:00:00.000000Z',
    reportingController: 'example.dev/c',
    reportingInstance: 'c-1',
    action: 'Act',
    reason: 'Why',
    regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
    note: 'text',
    type: 'Normal',
  }

  it('a malformed finalizer of an event is also not qualified', async () => {
    const metadata = { name: 'a', namespace: 'default', finalizers: ['X Y'] }
    const newer = kinds.stores.storeOf(inGroup('events.k8s.io', 'v1', 'Event'))
    const refused = await refusal(
      create(newer, { kind: 'Event', apiVersion: 'events.k8s.io/v1', metadata, ...event }),
    )
    expect(refused.details?.causes?.map(({ field }) => field)).to.deep.equal([
      'metadata.finalizers',
      'metadata.finalizers[0]',
    ])
  })

  it('an event of events.k8s.io is also served in the core group', async () => {
    const newer = kinds.stores.storeOf(inGroup('events.k8s.io', 'v1', 'Event'))
    const older = kinds.stores.storeOf(inGroup('', 'v1', 'Event'))
    await older.cache.warm()
    await newer.cache.warm()
    const made = await create(newer, {
      kind: 'Event',
      apiVersion: 'events.k8s.io/v1',
      metadata: { name: 'a', namespace: 'default' },
      ...event,
    })
    const always = {
      deprecatedSource: {},
      deprecatedFirstTimestamp: null,
      deprecatedLastTimestamp: null,
    }
    expect(made.apiVersion).to.equal('events.k8s.io/v1')
    expect(content(made)).to.deep.equal({ ...event, ...always })
    const { object: stored } = older.newest({ namespace: 'default', name: 'a' })
    expect(stored.apiVersion).to.equal('v1')
    expect(stored.metadata).to.deep.equal(made.metadata)
    expect(content(stored)).to.deep.equal({
      involvedObject: event.regarding,
      reason: 'Why',
      message: 'text',
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
      type: 'Normal',
      eventTime: event.eventTime,
      action: 'Act',
      reportingComponent: 'example.dev/c',
      reportingInstance: 'c-1',
    })
    const entry = newer.cache.get(newer.keyOf({ namespace: 'default', name: 'a' }))
    expect(entry?.object()).to.deep.equal(made)
  })

  it('an update without changes writes nothing', async () => {
    const newer = kinds.stores.storeOf(inGroup('events.k8s.io', 'v1', 'Event'))
    await kinds.create('Event', {
      involvedObject: { namespace: 'default', name: 'p' },
      reason: 'Why',
      type: 'Normal',
    })
    const target = { namespace: 'default', name: 'a' }
    const before = newer.newest(target).object
    const transform = (old: ApiObject) => canonical(old, newer.resource)
    const after = shown(await newer.update(target, { transform }, clientContext()))
    expect(after).to.deep.equal(before)
  })

  it('an autoscaler of autoscaling/v1 keeps fields that only v2 has', async () => {
    const older = kinds.stores.storeOf(inGroup('autoscaling', 'v1', 'HorizontalPodAutoscaler'))
    const memory = {
      type: 'Resource',
      resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
    }
    const cpu = {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
    }
    const spec = {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      minReplicas: 1,
      maxReplicas: 3,
    }
    await kinds.create('HorizontalPodAutoscaler', { spec: { ...spec, metrics: [cpu, memory] } })
    const target = { namespace: 'default', name: 'a' }
    const seen = older.newest(target).object
    expect(seen.metadata.annotations).to.deep.equal({
      'autoscaling.alpha.kubernetes.io/metrics': JSON.stringify([
        { type: 'Resource', resource: { name: 'memory', targetAverageValue: '1Gi' } },
      ]),
    })
    expect(content(seen)).to.deep.equal({
      spec: { ...spec, targetCPUUtilizationPercentage: 70 },
      status: { currentReplicas: 0, desiredReplicas: 0 },
    })
    const transform = (old: ApiObject) =>
      canonical({ ...old, spec: { ...spec, targetCPUUtilizationPercentage: 60 } }, older.resource)
    await older.update(target, { transform }, clientContext())
    const stored = kinds.store('HorizontalPodAutoscaler').newest(target).object
    const lower = { ...cpu.resource, target: { type: 'Utilization', averageUtilization: 60 } }
    expect(stored['spec']).to.deep.equal({
      ...spec,
      metrics: [memory, { type: 'Resource', resource: lower }],
    })
    expect(stored.metadata.annotations).to.equal(undefined)
  })

  const carrier = 'autoscaling.alpha.kubernetes.io/'
  const reference = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }

  it('an autoscaler of autoscaling/v1 reads and writes its annotations', async () => {
    const resource = inGroup('autoscaling', 'v1', 'HorizontalPodAutoscaler')
    const metrics = [
      { type: 'Pods', pods: { metricName: 'q', targetAverageValue: '3', selector: {} } },
      {
        type: 'Object',
        object: { target: reference, metricName: 'o', targetValue: '4', averageValue: '2' },
      },
      { type: 'External', external: { metricName: 'e', targetValue: '5' } },
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', targetAverageUtilization: 6, container: 'c' },
      },
    ]
    const rules = {
      StabilizationWindowSeconds: 0,
      SelectPolicy: 'Max',
      Policies: [{ Type: 'Pods', Value: 3, PeriodSeconds: 9 }],
      Tolerance: null,
    }
    const annotations = {
      [`${carrier}behavior`]: JSON.stringify({ ScaleUp: rules, ScaleDown: null }),
      [`${carrier}metrics`]: JSON.stringify(metrics),
    }
    const spec = { scaleTargetRef: reference, maxReplicas: 3, targetCPUUtilizationPercentage: 70 }
    await kinds.createAs(resource, { metadata: { annotations }, spec })
    const target = { namespace: 'default', name: 'a' }
    const stored = kinds.store('HorizontalPodAutoscaler').newest(target).object
    expect(stored.metadata.annotations).to.equal(undefined)
    expect((stored['spec'] as { metrics: unknown }).metrics).to.deep.equal([
      {
        type: 'Pods',
        pods: {
          metric: { name: 'q', selector: {} },
          target: { type: 'AverageValue', averageValue: '3' },
        },
      },
      {
        type: 'Object',
        object: {
          describedObject: reference,
          target: { type: 'AverageValue', value: '4', averageValue: '2' },
          metric: { name: 'o' },
        },
      },
      {
        type: 'External',
        external: { metric: { name: 'e' }, target: { type: 'Value', value: '5' } },
      },
      {
        type: 'ContainerResource',
        containerResource: {
          name: 'cpu',
          target: { type: 'Utilization', averageUtilization: 6 },
          container: 'c',
        },
      },
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
      },
    ])
    const seen = kinds.stores.storeOf(resource).newest(target).object
    const written = seen.metadata.annotations ?? {}
    expect(JSON.parse(written[`${carrier}metrics`] ?? '')).to.deep.equal(metrics)
    expect(JSON.parse(written[`${carrier}behavior`] ?? '')).to.deep.equal({
      ScaleUp: rules,
      ScaleDown: {
        StabilizationWindowSeconds: null,
        SelectPolicy: 'Max',
        Policies: [{ Type: 'Percent', Value: 100, PeriodSeconds: 15 }],
        Tolerance: null,
      },
    })
  })

  it('an autoscaler of autoscaling/v2 keeps no annotation of the older version', async () => {
    const annotations = { [`${carrier}metrics`]: '[]', mine: 'x' }
    const spec = { scaleTargetRef: reference, maxReplicas: 3 }
    const made = await kinds.create('HorizontalPodAutoscaler', { metadata: { annotations }, spec })
    expect(made.metadata.annotations).to.deep.equal({ mine: 'x' })
  })
})
