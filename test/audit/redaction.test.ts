import { expect } from 'chai'
import { redactRequest, redactResponse } from '../../apiserver/audit/redactBody.ts'
import { shownUri } from '../../apiserver/audit/requestUri.ts'
import { responseStatus } from '../../apiserver/audit/responseStatus.ts'
import type { Schema } from '../../apiserver/meta/schema.ts'

const guarded: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        key: { type: 'string', secret: true },
        data: { type: 'object', secret: true, additionalProperties: { type: 'string' } },
        clients: {
          type: 'array',
          items: {
            type: 'object',
            properties: { id: { type: 'string' }, proof: { type: 'string', secret: true } },
          },
        },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
}
const open: Schema = { type: 'object', properties: { spec: { type: 'object' } } }
const gone = '[redacted]'

describe('redactRequest', () => {
  const cases: readonly [string, unknown, unknown][] = [
    [
      'secret fields go, the keys of maps stay',
      {
        kind: 'K',
        metadata: { name: 'n' },
        spec: { title: 't', key: 's', data: { a: 's', b: '' } },
      },
      {
        kind: 'K',
        metadata: { name: 'n' },
        spec: { title: 't', key: gone, data: { a: gone, b: gone } },
      },
    ],
    [
      'in lists too',
      { spec: { clients: [{ id: 'i', proof: 's' }, 's'] } },
      { spec: { clients: [{ id: 'i', proof: gone }, gone] } },
    ],
    [
      'what the schema does not know goes',
      { spce: { key: 's' }, spec: { kye: 's', title: 't' } },
      { spce: { key: gone }, spec: { kye: gone, title: 't' } },
    ],
    [
      'another type goes',
      { spec: 's', status: { phase: 'p' } },
      { spec: gone, status: { phase: 'p' } },
    ],
    [
      'a deeper map in a map goes',
      { spec: { data: { a: { b: 's' } } } },
      { spec: { data: { a: gone } } },
    ],
    ['null stays', { spec: { key: null, data: null } }, { spec: { key: null, data: null } }],
    [
      'the copy in an annotation goes',
      {
        metadata: {
          annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 's', a: 'b' },
        },
      },
      {
        metadata: {
          annotations: { 'kubectl.kubernetes.io/last-applied-configuration': gone, a: 'b' },
        },
      },
    ],
    [
      'operations of a JSON patch, by their path',
      [
        { op: 'add', path: '/spec/key', value: 's' },
        { op: 'add', path: '/spec/data/a', value: 's' },
        { op: 'replace', path: '/spec/data', value: { a: 's' } },
        { op: 'replace', path: '/spec', value: { title: 't', key: 's' } },
        { op: 'replace', path: '', value: { spec: { key: 's' } } },
        { op: 'add', path: '/spec/clients/0/proof', value: 's' },
        { op: 'add', path: '/spec/clients/-', value: { id: 'i', proof: 's' } },
        { op: 'add', path: '/spec/title', value: 't' },
        { op: 'add', path: '/spec/kye', value: 's' },
        { op: 'add', path: 'spec/key', value: 's' },
        { op: 'add', path: 7, value: 's' },
        {
          op: 'add',
          path: '/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration',
          value: 's',
        },
        { op: 'copy', from: '/spec/key', path: '/spec/title' },
        { op: 'remove', path: '/spec/key', vaule: 's' },
        's',
      ],
      [
        { op: 'add', path: '/spec/key', value: gone },
        { op: 'add', path: '/spec/data/a', value: gone },
        { op: 'replace', path: '/spec/data', value: { a: gone } },
        { op: 'replace', path: '/spec', value: { title: 't', key: gone } },
        { op: 'replace', path: '', value: { spec: { key: gone } } },
        { op: 'add', path: '/spec/clients/0/proof', value: gone },
        { op: 'add', path: '/spec/clients/-', value: { id: 'i', proof: gone } },
        { op: 'add', path: '/spec/title', value: 't' },
        { op: 'add', path: '/spec/kye', value: gone },
        { op: 'add', path: 'spec/key', value: gone },
        { op: 'add', path: 7, value: gone },
        {
          op: 'add',
          path: '/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration',
          value: gone,
        },
        { op: 'copy', from: '/spec/key', path: '/spec/title' },
        { op: 'remove', path: '/spec/key' },
        gone,
      ],
    ],
    [
      'the options of a delete stay',
      { kind: 'DeleteOptions', propagationPolicy: 'Orphan' },
      { kind: 'DeleteOptions', propagationPolicy: 'Orphan' },
    ],
  ]
  for (const [name, value, want] of cases) {
    it(name, () => expect(redactRequest(value, guarded)).to.deep.equal(want))
  }

  it('removes fields by name if the schema marks none', () => {
    const value = {
      spec: { a: 1, token: 's', deep: [{ clientSecret: 's', adminPassword: 's' }] },
      data: { accessKey: 's' },
    }
    const want = {
      spec: { a: 1, token: gone, deep: [{ clientSecret: gone, adminPassword: gone }] },
      data: { accessKey: gone },
    }
    expect([redactRequest(value, open), redactRequest(value, undefined)]).to.deep.equal([
      want,
      want,
    ])
  })

  it('does not modify the original', () => {
    const value = { spec: { key: 's' } }
    redactRequest(value, guarded)
    expect(value).to.deep.equal({ spec: { key: 's' } })
  })
})

describe('redactResponse', () => {
  const object = { metadata: { name: 'n' }, spec: { key: 's', data: { a: 's' } } }
  const shown = { metadata: { name: 'n' }, spec: { key: gone, data: { a: gone } } }
  const cases: readonly [string, unknown, unknown][] = [
    ['an object', object, shown],
    ['a list', { kind: 'KList', items: [object] }, { kind: 'KList', items: [shown] }],
    [
      'a table, without the cells',
      { kind: 'Table', rows: [{ cells: ['s'], object }] },
      { kind: 'Table', rows: [{ object: shown }] },
    ],
    ['no object', 's', 's'],
  ]
  for (const [name, value, want] of cases) {
    it(name, () => expect(redactResponse(value, guarded)).to.deep.equal(want))
  }
  it('keeps the table cells of a kind without secrets', () => {
    const table = { kind: 'Table', rows: [{ cells: ['c'], object: { metadata: {} } }] }
    expect(redactResponse(table, open)).to.deep.equal(table)
  })
})

describe('responseStatus', () => {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'spec.key: Invalid value: "s"',
    reason: 'Invalid',
    details: {
      name: 'n',
      causes: [{ reason: 'FieldValueInvalid', message: '"s"', field: 'spec.data[s]' }],
    },
    code: 422,
  } as const
  const {
    kind: _kind,
    apiVersion: _version,
    ...whole
  } = { ...status, details: { name: 'n', causes: [...status.details.causes] } }
  const given = { ...status, details: { name: 'n', causes: [...status.details.causes] } }

  it('is the status of the response', () => {
    expect(responseStatus(422, given, true)).to.deep.equal(whole)
    expect(responseStatus(200, undefined, true)).to.deep.equal({ metadata: {}, code: 200 })
  })
  it('omits messages that may repeat a secret', () => {
    expect(responseStatus(422, given, false)).to.deep.equal({
      metadata: {},
      status: 'Failure',
      message: gone,
      reason: 'Invalid',
      details: { name: 'n', causes: [{ reason: 'FieldValueInvalid', field: 'spec.data' }] },
      code: 422,
    })
    expect(responseStatus(404, { ...given, code: 404 }, false).message).to.equal(given.message)
  })
  it('says so if there was no response', () => {
    const want = { metadata: {}, status: 'Failure', message: 'Connection closed early' }
    expect(responseStatus(undefined, undefined, true)).to.deep.equal(want)
  })
})

describe('shownUri', () => {
  const cases: readonly [string, string][] = [
    ['/api/v1/pods?limit=5&continue=abc', '/api/v1/pods?limit=5&continue=abc'],
    ['/x?access_token=s&a=b', '/x?access_token=[redacted]&a=b'],
    ['/x?a=b&%74oken=s', '/x?a=b&%74oken=[redacted]'],
    ['/auth/callback?code=s&state=s', '/auth/callback?code=[redacted]&state=[redacted]'],
    [
      '/x?client_secret=s&password=s&key=s',
      '/x?client_secret=[redacted]&password=[redacted]&key=[redacted]',
    ],
    ['http://user:s@host/x?y', '/x?y'],
    ['/x?flag&%zz=1', '/x?flag&%zz=1'],
    [`/${'a'.repeat(9000)}`, `/${'a'.repeat(8191)}...`],
  ]
  for (const [url, want] of cases) {
    it(`${url.slice(0, 60)} is shown as ${want.slice(0, 60)}`, () => {
      expect(shownUri(url)).to.equal(want)
    })
  }
})
