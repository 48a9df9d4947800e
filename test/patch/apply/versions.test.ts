import { expect } from 'chai'
import type { Schema } from '../../../apiserver/meta/schema.ts'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import type { ApplyContext } from '../../../apiserver/patch/apply/applyContext.ts'
import { keepTimes } from '../../../apiserver/patch/apply/managers/keepTimes.ts'
import { LiveWidget, second, widget, widgetSchema } from './widget.ts'

const spec = widgetSchema.properties?.['spec']
const oldSchema: Schema = {
  ...widgetSchema,
  properties: {
    ...widgetSchema.properties,
    spec: { ...spec, properties: { ...spec?.properties, count: { type: 'integer' } } },
  },
}

/** Renames a field of the spec: `v1beta1` has `spec.count` instead of `spec.replicas`. */
function renamed(object: ApiObject, from: string, to: string): ApiObject {
  const { [from]: value, ...fields } = (object['spec'] ?? {}) as Record<string, unknown>
  return { ...object, spec: value === undefined ? fields : { ...fields, [to]: value } }
}

const convert: NonNullable<ApplyContext['convert']> = (object, apiVersion) => {
  if (apiVersion === 'example.dev/v1') {
    return { object: { ...renamed(object, 'count', 'replicas'), apiVersion }, schema: widgetSchema }
  }
  if (apiVersion !== 'example.dev/v1beta1') return undefined
  return { object: { ...renamed(object, 'replicas', 'count'), apiVersion }, schema: oldSchema }
}

const beta = { version: 'v1beta1', schema: oldSchema, convert }

function betaWidget(specFields: object): ApiObject {
  return { ...widget(specFields), apiVersion: 'example.dev/v1beta1' }
}

describe('managers of other versions (reference 3.11)', () => {
  /** Stored in v1, whatever version a client writes, as by a server. */
  function written(): LiveWidget {
    const live = new LiveWidget().apply('a', betaWidget({ count: 1, on: true }), beta)
    live.live = live.live && convert(live.live, 'example.dev/v1')?.object
    return live
  }

  it('lose changed fields by their names in their version', () => {
    const live = written().update('u', widget({ replicas: 2, on: true }), { convert })
    expect(live.entries.map(({ apiVersion, fieldsV1 }) => [apiVersion, fieldsV1])).to.deep.equal([
      ['example.dev/v1beta1', { 'f:spec': { 'f:on': {} } }],
      ['example.dev/v1', { 'f:spec': { 'f:replicas': {} } }],
    ])
  })

  it('apply in another version over their own entry, and remove fields named there', () => {
    const live = written().apply('a', widget({ on: true }), { convert })
    expect(live.spec).to.deep.equal({ on: true })
    expect(live.entries).to.have.length(1)
    expect(live.entries[0]).to.deep.include({ apiVersion: 'example.dev/v1' })
  })

  it('conflict by the names in their version', () => {
    const apply = () => written().apply('b', widget({ replicas: 2 }), { convert })
    expect(apply).to.throw('Apply failed with 1 conflict: conflict with "a": .spec.count')
  })

  it('are dropped when the kind no longer has their version', () => {
    const live = written().update('u', widget({ replicas: 1, on: true, name: 'x' }))
    expect(live.owners).to.have.keys('u Update')
  })
})

describe('keepTimes', () => {
  const live = new LiveWidget().apply('a', widget({ on: true })).live ?? widget()
  const later = (object: ApiObject): ApiObject => ({
    ...object,
    metadata: {
      ...object.metadata,
      managedFields: (object.metadata.managedFields ?? []).map((entry) => ({
        ...entry,
        time: second(9),
      })),
    },
  })

  it('keeps the live times if nothing else changed', () => {
    expect(keepTimes(live, later(live))).to.deep.equal(live)
  })

  it('does nothing if anything else changed', () => {
    const next = later({ ...live, spec: { on: false } })
    expect(keepTimes(live, next)).to.equal(next)
    const bare = widget({ on: true })
    expect(keepTimes(live, bare)).to.equal(bare)
  })
})
