import { expect } from 'chai'
import { updateManagedFields } from '../../../../apiserver/patch/apply/managers/updateManagedFields.ts'
import { LiveWidget, second, widget, widgetContext, widgetSchema } from '../widget.ts'

describe('updateManagedFields (reference 3.11, 3.12)', () => {
  it('assigns created fields to the manager, except for system fields', () => {
    const created = widget({ replicas: 1, set: ['b', 'a'], plainList: ['x'], nested: {} })
    const metadata = { ...created.metadata, generation: 1, labels: { app: 'a' }, finalizers: ['f'] }
    const got = updateManagedFields(undefined, { ...created, metadata }, 'm', widgetContext())
    expect(got.metadata.managedFields).to.deep.equal([
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: 'example.dev/v1',
        time: second(0),
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': {
            'f:finalizers': { '.': {}, 'v:"f"': {} },
            'f:labels': { '.': {}, 'f:app': {} },
          },
          'f:spec': {
            '.': {},
            'f:nested': {},
            'f:plainList': {},
            'f:replicas': {},
            'f:set': { '.': {}, 'v:"a"': {}, 'v:"b"': {} },
          },
        },
      },
    ])
  })

  it('leaves out what an empty object of the kind has already', () => {
    const emptyObject = { ...widget({}), metadata: {} }
    const live = new LiveWidget().update('m', widget({ replicas: 1 }), { emptyObject })
    expect(live.owners).to.deep.equal({ 'm Update': { 'f:spec': { 'f:replicas': {} } } })
  })

  it('calls a manager without a name unknown', () => {
    const live = new LiveWidget().update('', widget({ on: true }))
    expect(live.owners).to.have.keys('unknown Update')
  })

  it('moves added and changed fields, and drops removed ones', () => {
    const live = new LiveWidget()
      .update('a', widget({ replicas: 1, name: 'x', labels: { p: '1', q: '1' } }))
      .update('b', widget({ replicas: 2, on: true, labels: { p: '1' } }))
    expect(live.owners).to.deep.equal({
      'a Update': { 'f:spec': { '.': {}, 'f:labels': { '.': {}, 'f:p': {} } } },
      'b Update': { 'f:spec': { 'f:on': {}, 'f:replicas': {} } },
    })
  })

  it('drops a manager without fields', () => {
    const live = new LiveWidget()
      .update('a', widget({ on: true }))
      .update('b', widget({ on: true, name: 'x' }))
      .update('c', widget({ on: true, name: 'y' }))
    expect(live.owners).to.have.keys('a Update', 'c Update')
  })

  it('keeps entries and times if nothing changes', () => {
    const live = new LiveWidget().update('a', widget({ set: ['a', 'b'] }))
    const { entries } = live
    expect(live.update('b', widget({ set: ['b', 'a'] })).entries).to.deep.equal(entries)
  })

  it('keeps the time of an entry that only loses fields', () => {
    const live = new LiveWidget()
      .update('a', widget({ replicas: 1, on: true }))
      .update('b', widget({ replicas: 2, on: true }))
    expect(live.times).to.deep.equal({ 'a Update': second(0), 'b Update': second(1) })
  })

  it('owns atomic maps, lists and items as a whole', () => {
    const live = new LiveWidget()
      .update('a', widget({ atomicMap: { x: '1' }, plainList: ['x'], atomicItems: [{ k: 'a' }] }))
      .update(
        'b',
        widget({ atomicMap: { x: '1', y: '2' }, plainList: [], atomicItems: [{ k: 'a', v: 'v' }] }),
      )
    expect(live.owners).to.deep.equal({
      'a Update': { 'f:spec': { '.': {}, 'f:atomicItems': {} } },
      'b Update': {
        'f:spec': {
          'f:atomicItems': { 'k:{"k":"a"}': {} },
          'f:atomicMap': {},
          'f:plainList': {},
        },
      },
    })
  })

  it('identifies items by several keys, with their defaults', () => {
    const ports = [{ port: 80 }, { port: 80, protocol: 'UDP' }]
    const live = new LiveWidget().update('a', widget({ containers: [{ name: 'c', ports }] }))
    const next = [
      { port: 80, protocol: 'UDP', name: 'u' },
      { port: 80, name: 't' },
    ]
    live.update('b', widget({ containers: [{ name: 'c', ports: next }] }))
    const owned = (element: string) => ({ [element]: { 'f:name': {} } })
    expect(live.owners['b Update']).to.deep.equal({
      'f:spec': {
        'f:containers': {
          'k:{"name":"c"}': {
            'f:ports': {
              ...owned('k:{"port":80,"protocol":"TCP"}'),
              ...owned('k:{"port":80,"protocol":"UDP"}'),
            },
          },
        },
      },
    })
  })

  it('does not start tracking an untracked object', () => {
    const live = { ...widget(), metadata: { name: 'w', uid: 'u' } }
    const got = updateManagedFields(live, widget({ on: true }), 'm', widgetContext())
    expect(got).to.deep.equal(widget({ on: true }))
  })

  for (const managedFields of [[], [{}], [{ manager: '' }]]) {
    it(`clears the list on ${JSON.stringify(managedFields)}`, () => {
      const live = new LiveWidget().update('a', widget({ on: true }))
      const next = widget({ on: false })
      live.update('b', { ...next, metadata: { ...next.metadata, managedFields } })
      expect(live.live).not.to.have.nested.property('metadata.managedFields')
    })
  }

  const undecodable = [
    [{ manager: 'x' }],
    [{ manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'X' }],
    [{ manager: 'x', operation: 'Apply', fieldsType: 'FieldsV1' }],
    [{ operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { a: {} } }],
  ]
  for (const managedFields of undecodable) {
    it(`keeps the live list for ${JSON.stringify(managedFields)}`, () => {
      const live = new LiveWidget().update('a', widget({ on: true }))
      const { entries } = live
      const next = widget({ on: true })
      live.update('b', { ...next, metadata: { ...next.metadata, managedFields } })
      expect(live.entries).to.deep.equal(entries)
    })
  }

  it('normalises entries sent in a request', () => {
    const live = new LiveWidget().update('a', widget({ on: true }))
    const managedFields = [
      {
        manager: 'x',
        operation: 'Apply',
        apiVersion: 'example.dev/v1',
        time: '2020-01-01T02:00:00+02:00',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:on': {}, 'f:any': {} }, 'x:y': {} },
      },
    ]
    const next = widget({ on: true })
    live.update('b', { ...next, metadata: { ...next.metadata, managedFields } })
    expect(JSON.stringify(live.entries)).to.equal(
      JSON.stringify([
        {
          ...managedFields[0],
          time: second(0),
          fieldsV1: { 'f:spec': { 'f:any': {}, 'f:on': {} } },
        },
      ]),
    )
  })

  it('separates managers by subresource, and ignores fields an endpoint does not write', () => {
    const live = new LiveWidget().update('m', widget({ on: true }, { status: { phase: 'A' } }))
    const next = widget({ on: false }, { status: { phase: 'B' } })
    const managedFields: [] = []
    live.update(
      'm',
      { ...next, metadata: { ...next.metadata, managedFields } },
      { subresource: 'status', resetFields: { 'f:spec': {} } },
    )
    expect(live.owners).to.deep.equal({
      'm Update': { 'f:spec': { '.': {}, 'f:on': {} } },
      'm Update status': { 'f:status': { 'f:phase': {} } },
    })
  })

  it('tracks only the fields that an endpoint writes, if they are listed', () => {
    const live = new LiveWidget().update('m', widget({ on: true }, { status: { phase: 'A' } }), {
      onlyFields: { 'f:status': {} },
      resetFields: {},
    })
    expect(live.owners).to.deep.equal({ 'm Update': { 'f:status': { '.': {}, 'f:phase': {} } } })
  })

  it('keeps the live list if the object does not fit the schema', () => {
    const live = new LiveWidget().update('a', widget({ set: ['a'] }))
    const { entries } = live
    expect(live.update('b', widget({ set: ['a', null] })).entries).to.deep.equal(entries)
  })

  it('owns duplicates of a set as a whole', () => {
    const live = new LiveWidget()
      .update('a', widget({ set: ['x', 'y'] }))
      .update('b', widget({ set: ['x', 'x', 'y'] }))
    expect(live.owners).to.deep.equal({
      'a Update': { 'f:spec': { '.': {}, 'f:set': { '.': {}, 'v:"y"': {} } } },
      'b Update': { 'f:spec': { 'f:set': { 'v:"x"': {} } } },
    })
  })

  it('orders entries: appliers, then by time, name and subresource', () => {
    const live = new LiveWidget().update('z', widget({ on: true }))
    const now = second(50)
    live.update('y', widget({ on: true, name: 'a' }), { now })
    live.update('x', widget({ on: true, name: 'a', replicas: 1 }), { now })
    live.apply('b', widget({ labels: { a: '' } }), { now: second(59) })
    live.apply('a', widget({ labels: { b: '' } }), { now: second(59) })
    expect(Object.keys(live.owners)).to.deep.equal([
      'a Apply',
      'b Apply',
      'z Update',
      'x Update',
      'y Update',
    ])
  })

  it('joins the oldest of more than ten updaters as ancient-changes', () => {
    const live = new LiveWidget()
    const labels: Record<string, string> = {}
    for (let i = 0; i < 13; i++) {
      labels[`k${String(i).padStart(2, '0')}`] = ''
      live.update(`m${String(i).padStart(2, '0')}`, widget({ labels: { ...labels } }))
    }
    expect(live.entries).to.have.length(10)
    expect(live.entries[0]).to.deep.include({ manager: 'ancient-changes', time: second(3) })
    expect(live.owners['ancient-changes Update']).to.deep.equal({
      'f:spec': {
        '.': {},
        'f:labels': { '.': {}, 'f:k00': {}, 'f:k01': {}, 'f:k02': {}, 'f:k03': {} },
      },
    })
  })

  it('owns as a whole what has become atomic since', () => {
    const live = new LiveWidget().update('a', widget({ nested: { a: 'x' }, on: true }))
    const spec = widgetSchema.properties?.['spec']
    const nested = { ...spec?.properties?.['nested'], 'x-kubernetes-map-type': 'atomic' as const }
    const schema = {
      ...widgetSchema,
      properties: {
        ...widgetSchema.properties,
        spec: { ...spec, properties: { ...spec?.properties, nested } },
      },
    }
    live.update('b', widget({ nested: { a: 'x' }, on: false }), { schema })
    expect(live.owners).to.deep.equal({
      'a Update': { 'f:spec': { '.': {}, 'f:nested': {} } },
      'b Update': { 'f:spec': { 'f:on': {} } },
    })
  })
})
