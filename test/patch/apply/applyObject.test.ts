import { expect } from 'chai'
import { refusal, failure } from '../../support/refusal.ts'
import { LiveWidget, second, widget } from './widget.ts'

const fields = (...names: string[]) => ({
  'f:spec': Object.fromEntries(names.map((name) => [`f:${name}`, {}])),
})

describe('applyObject (reference 3.12)', () => {
  it('creates an object, and owns the leaves of the configuration', () => {
    const config = widget({ replicas: 1, nested: { deep: { x: 'x' } }, labels: { a: '' }, set: [] })
    const live = new LiveWidget().apply('a', config)
    expect(live.spec).to.deep.equal(config['spec'])
    expect(live.entries).to.deep.equal([
      {
        manager: 'a',
        operation: 'Apply',
        apiVersion: 'example.dev/v1',
        time: second(0),
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:spec': {
            'f:labels': { 'f:a': {} },
            'f:nested': { 'f:deep': { 'f:x': {} } },
            'f:replicas': {},
          },
        },
      },
    ])
  })

  it('removes fields that the manager no longer applies and nobody else owns', () => {
    const live = new LiveWidget()
      .apply('a', widget({ replicas: 1, on: true, labels: { a: '', b: '' }, nested: { a: 'x' } }))
      .apply('b', widget({ on: true }))
      .apply('a', widget({ replicas: 1, labels: { b: '' } }))
    expect(live.spec).to.deep.equal({ replicas: 1, on: true, labels: { b: '' } })
    expect(live.owners).to.deep.equal({
      'a Apply': { 'f:spec': { 'f:labels': { 'f:b': {} }, 'f:replicas': {} } },
      'b Apply': fields('on'),
    })
  })

  it('keeps fields of an updater', () => {
    const live = new LiveWidget()
      .apply('a', widget({ labels: { a: '' }, nested: { a: 'x' } }))
      .update('u', widget({ labels: { a: '', u: '' }, nested: { a: 'x', deep: { x: 'u' } } }))
      .apply('a', widget({ on: true }))
    expect(live.spec).to.deep.equal({ on: true, labels: { u: '' }, nested: { deep: { x: 'u' } } })
  })

  it('removes an item it alone owned, with everything others set in it', () => {
    const live = new LiveWidget()
      .apply('a', widget({ containers: [{ name: 'x', image: 'i' }, { name: 'y' }] }))
      .update('u', widget({ containers: [{ name: 'x', image: 'i', args: ['u'] }, { name: 'y' }] }))
      .apply('a', widget({ containers: [{ name: 'y' }] }))
    expect(live.spec).to.deep.equal({ containers: [{ name: 'y' }] })
  })

  it('shares fields that two managers apply with the same value', () => {
    const live = new LiveWidget()
      .apply('a', widget({ replicas: 1, set: ['x'] }))
      .apply('b', widget({ replicas: 1, set: ['x', 'y'] }))
    expect(live.owners).to.deep.equal({
      'a Apply': { 'f:spec': { 'f:replicas': {}, 'f:set': { 'v:"x"': {} } } },
      'b Apply': { 'f:spec': { 'f:replicas': {}, 'f:set': { 'v:"x"': {}, 'v:"y"': {} } } },
    })
    expect(live.apply('a', widget({})).spec).to.deep.equal({ replicas: 1, set: ['x', 'y'] })
  })

  it('takes fields by force, from appliers and updaters', () => {
    const live = new LiveWidget()
      .apply('a', widget({ replicas: 1 }))
      .update('u', widget({ replicas: 1, on: true }))
      .apply('b', widget({ replicas: 2, on: false }), { force: true })
    expect(live.spec).to.deep.equal({ replicas: 2, on: false })
    expect(live.owners).to.deep.equal({ 'b Apply': fields('on', 'replicas') })
  })

  it('changes neither object nor times for an equal configuration', () => {
    const live = new LiveWidget().apply('a', widget({ replicas: 1, set: ['x', 'y'] }))
    const before = live.live
    expect(live.apply('a', widget({ replicas: 1, set: ['x', 'y'] })).live).to.deep.equal(before)
  })

  it('keeps the time of a manager that only shares fields', () => {
    const live = new LiveWidget().apply('a', widget({ on: true })).apply('b', widget({ on: true }))
    expect(live.times).to.deep.equal({ 'b Apply': undefined, 'a Apply': second(0) })
  })

  it('loses fields to an update', () => {
    const live = new LiveWidget()
      .apply('a', widget({ replicas: 1, on: true }))
      .update('u', widget({ replicas: 2, on: true }))
    expect(live.owners).to.deep.equal({ 'a Apply': fields('on'), 'u Update': fields('replicas') })
  })

  it('separates appliers of the same name by subresource', () => {
    const status = { subresource: 'status', resetFields: { 'f:spec': {} } }
    const live = new LiveWidget()
      .apply('a', widget({ on: true }))
      .apply('a', widget({ on: false }, { status: { phase: 'A' } }), { ...status, force: true })
    expect(live.owners['a Apply status']).to.deep.equal({ 'f:status': { 'f:phase': {} } })
  })

  it('assigns fields from before the first apply to a manager', () => {
    const live = new LiveWidget()
    live.live = { ...widget({ on: true }), metadata: { name: 'w', namespace: 'ns', uid: 'u' } }
    live.apply('a', widget({ name: 'x' }))
    expect(live.owners).to.deep.equal({
      'before-first-apply Update': { 'f:spec': { '.': {}, 'f:on': {} } },
      'a Apply': fields('name'),
    })
  })

  const item = (name: string, more: object = {}) => ({ name, ...more })
  const orders: [string, string[], string[], string[]][] = [
    ['the order of the configuration', ['a', 'b'], ['b', 'a'], ['b', 'a']],
    ['live items before those that follow them', ['x', 'a'], ['a', 'b'], ['x', 'a', 'b']],
    ['live items behind', ['a', 'x'], ['a', 'b'], ['a', 'x', 'b']],
    ['new items in front', ['b', 'x'], ['a', 'b'], ['a', 'b', 'x']],
    ['all of both', ['x', 'y'], ['a', 'b'], ['x', 'y', 'a', 'b']],
    ['several shared ones', ['a', 'x', 'b', 'y'], ['b', 'c', 'a'], ['x', 'b', 'y', 'c', 'a']],
  ]
  for (const [name, live, config, want] of orders) {
    it(`merges lists in ${name}`, () => {
      const got = new LiveWidget()
        .update('u', widget({ containers: live.map((one) => item(one)) }))
        .apply('a', widget({ containers: config.map((one) => item(one)) }))
      expect(got.spec).to.deep.equal({ containers: want.map((one) => item(one)) })
    })
  }

  it('merges items of nested lists by their keys', () => {
    const udp = { port: 53, protocol: 'UDP' }
    const live = new LiveWidget()
      .apply('a', widget({ containers: [item('c', { ports: [{ port: 53 }], args: ['1'] })] }))
      .apply('b', widget({ containers: [item('c', { ports: [udp], args: ['2'] })] }))
      .apply('b', widget({ containers: [item('c', { ports: [{ ...udp, name: 'n' }] })] }))
    expect(live.spec).to.deep.equal({
      containers: [item('c', { ports: [{ port: 53 }, { ...udp, name: 'n' }], args: ['1'] })],
    })
  })

  it('replaces atomic maps and lists as a whole', () => {
    const live = new LiveWidget()
      .apply(
        'a',
        widget({ atomicMap: { a: '1', b: '1' }, plainList: ['a'], atomicStruct: { a: 'x' } }),
      )
      .apply('a', widget({ atomicMap: { b: '2' }, plainList: ['b'], atomicStruct: { b: 1 } }))
    expect(live.spec).to.deep.equal({
      atomicMap: { b: '2' },
      plainList: ['b'],
      atomicStruct: { b: 1 },
    })
  })

  it('takes maps apart without a schema, and lists as a whole', () => {
    const live = new LiveWidget()
      .apply('a', widget({ free: { m: { x: 1 }, l: [1] }, open: { other: { y: true } } }))
      .apply('b', widget({ free: { m: { z: 2 } }, any: { w: {} } }))
    expect(live.spec).to.deep.equal({
      free: { m: { x: 1, z: 2 }, l: [1] },
      open: { other: { y: true } },
      any: { w: {} },
    })
    const error = () => live.apply('b', widget({ free: { l: [1, 2] } }))
    expect(error).to.throw('Apply failed with 1 conflict: conflict with "a": .spec.free.l')
  })

  it('treats a member named __proto__ as a plain one', () => {
    const labels: unknown = JSON.parse('{"__proto__":"x"}')
    const live = new LiveWidget()
      .apply('a', widget({ labels }))
      .apply('b', widget({ labels: { y: '' } }))
    expect(JSON.stringify(live.spec)).to.equal('{"labels":{"__proto__":"x","y":""}}')
  })
})

describe('apply conflicts (reference 0.4, 3.13)', () => {
  const cause = (message: string, field: string) => ({
    reason: 'FieldManagerConflict',
    message,
    field,
  })

  it('names an applier: 409', async () => {
    const live = new LiveWidget().apply('a', widget({ replicas: 1 }))
    expect(await refusal(() => live.apply('b', widget({ replicas: 2 })))).to.deep.equal(
      failure(409, 'Conflict', 'Apply failed with 1 conflict: conflict with "a": .spec.replicas', {
        causes: [cause('conflict with "a"', '.spec.replicas')],
      }),
    )
  })

  it('names an updater with its version and without a time', async () => {
    const live = new LiveWidget().update('a"b', widget({ replicas: 1 }))
    const text = 'conflict with "a\\"b" using example.dev/v1'
    expect(await refusal(() => live.apply('b', widget({ replicas: 2 })))).to.deep.equal(
      failure(409, 'Conflict', `Apply failed with 1 conflict: ${text}: .spec.replicas`, {
        causes: [cause(text, '.spec.replicas')],
      }),
    )
  })

  it('groups conflicts by manager and subresource', async () => {
    const live = new LiveWidget()
      .apply(
        'a',
        widget({ on: true, containers: [{ name: 'c', ports: [{ port: 80, name: 'x' }] }] }),
      )
      .update('s', { ...live0(), status: { phase: 'A' } }, { subresource: 'status' })
    const config = widget(
      { on: false, containers: [{ name: 'c', ports: [{ port: 80, name: 'y' }] }] },
      { status: { phase: 'B' } },
    )
    const a = 'conflict with "a"'
    const s = 'conflict with "s" with subresource "status" using example.dev/v1'
    const path = '.spec.containers[name="c"].ports[port=80,protocol="TCP"].name'
    expect(await refusal(() => live.apply('b', config, { resetFields: {} }))).to.deep.equal(
      failure(
        409,
        'Conflict',
        `Apply failed with 3 conflicts: conflicts with "a":
- .spec.on
- ${path}
conflicts with "s" with subresource "status" using example.dev/v1:
- .status.phase`,
        { causes: [cause(a, '.spec.on'), cause(a, path), cause(s, '.status.phase')] },
      ),
    )
    function live0() {
      return widget({ on: true, containers: [{ name: 'c', ports: [{ port: 80, name: 'x' }] }] })
    }
  })
})

describe('apply errors (reference 3.12, 3.13)', () => {
  const typed = (text: string) =>
    `failed to create typed patch object (ns/w; example.dev/v1, Kind=Widget): ${text}`
  const unfit: [string, object, string][] = [
    ['an unknown field', { foo: 1 }, '.spec.foo: field not declared in schema'],
    [
      'text for a number',
      { replicas: 'x' },
      '.spec.replicas: expected numeric (int or float), got string',
    ],
    [
      'a number for text',
      { name: 1000000 },
      '.spec.name: expected string, got &value.valueUnstructured{Value:1e+06}',
    ],
    ['a list for a flag', { on: ['a', 1] }, '.spec.on: expected boolean, got &{[a 1]}'],
    [
      'a map for a list',
      { set: { b: 1, a: null } },
      '.spec.set: expected list, got &{map[a:<nil> b:1]}',
    ],
    ['text for a map', { nested: 'x' }, '.spec.nested: expected map, got &{x}'],
    [
      'a set with an item twice',
      { set: ['a', 'a'] },
      '.spec.set: duplicate entries for key [="a"]',
    ],
    [
      'a map list with an item twice',
      { containers: [{ name: 'a' }, { name: 'a' }] },
      '.spec.containers: duplicate entries for key [name="a"]',
    ],
    [
      'an item without its key',
      { containers: [{ image: 'i' }] },
      '.spec.containers: element 0: associative list with keys has an element that omits all key fields ["name"] ' +
        `(and doesn't have default values for any key fields)`,
    ],
    [
      'a null item',
      { containers: [null] },
      '.spec.containers: element 0: associative list with keys may not have a null element',
    ],
    [
      'a map in a set',
      { set: ['a', {}] },
      ".spec.set: element 1: associative list without keys has an element that's a map type",
    ],
    [
      'several',
      { replicas: true, nested: { b: '1' } },
      'errors:\n  .spec.replicas: expected numeric (int or float), got bool\n' +
        '  .spec.nested.b: expected numeric (int or float), got string',
    ],
  ]
  for (const [name, spec, text] of unfit) {
    it(`refuses ${name}: 500 without a reason`, async () => {
      const got = await refusal(() => new LiveWidget().apply('a', widget(spec)))
      expect(got).to.deep.equal(failure(500, '', typed(text)))
    })
  }

  const config = widget({ on: true })
  const bad: [string, object, string][] = [
    [
      'managedFields',
      { ...config, metadata: { name: 'w', managedFields: [] } },
      'metadata.managedFields must be nil',
    ],
    ['another kind', { ...config, kind: 'X' }, 'invalid object type: example.dev/v1, Kind=X'],
    [
      'another version',
      { ...config, apiVersion: 'example.dev/v2' },
      'invalid object type: example.dev/v2, Kind=Widget',
    ],
    ['the core group', { ...config, apiVersion: 'v1' }, 'invalid object type: /v1, Kind=Widget'],
    ['no type', { metadata: {} }, 'invalid object type: /, Kind='],
    ['no version', { ...config, apiVersion: 'a/b/c' }, 'invalid object type: /, Kind='],
  ]
  for (const [name, sent, message] of bad) {
    it(`refuses ${name}: 400`, async () => {
      // Clients may send any value.
      const got = await refusal(() => new LiveWidget().apply('a', sent as typeof config))
      expect(got).to.deep.equal(failure(400, 'BadRequest', message))
    })
  }
})
