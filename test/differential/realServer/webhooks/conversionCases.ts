import { get, mergeType, patch, post, put, remove, type Call } from '../../call.ts'
import { text } from './hookCase.ts'
import type { Behaviour, Reply, Review } from './reviewServer.ts'

/** Requests for objects of a kind with two versions that a webhook converts; v1 is stored. */
export interface ConversionCase {
  name: string
  behaviour: Behaviour
  calls: readonly Call[]
}

interface Custom extends Record<string, unknown> {
  apiVersion: string
  metadata: Record<string, unknown>
  spec?: Record<string, unknown>
}

type Change = (response: Record<string, unknown>, objects: Custom[], review: Review) => unknown

/** Response of a webhook that converts and then changes its response. */
function changed(change: Change, rest: Reply = {}): Behaviour {
  return (review) => {
    const { uid, desiredAPIVersion, objects } = review.request as Review['request'] & {
      desiredAPIVersion: string
      objects: Custom[]
    }
    const convertedObjects = objects.map((one) => converted(one, desiredAPIVersion))
    const response = { uid, result: { status: 'Success' }, convertedObjects }
    const { kind, apiVersion } = review
    const made = change(response, convertedObjects, review) ?? response
    return { body: JSON.stringify({ kind, apiVersion, response: made }), ...rest }
  }
}

/** Object in another version: a spec has `size` in v1, and `count` in v2. */
function converted({ spec, ...object }: Custom, apiVersion: string): Custom {
  if (spec === undefined) return { ...object, apiVersion }
  const { size, count = size, ...others } = spec
  const name = apiVersion.endsWith('/v1') ? 'size' : 'count'
  return {
    ...object,
    apiVersion,
    spec: count === undefined ? others : { ...others, [name]: count },
  }
}

export const converting: Behaviour = changed(() => undefined)

const each = (change: (object: Custom) => void): Behaviour =>
  changed((_response, objects) => {
    objects.forEach(change)
  })
const metadata = (fields: object): Behaviour =>
  each((object) => Object.assign(object.metadata, fields))
const result = (value: unknown): Behaviour =>
  changed((response) => ({ ...response, result: value }))
const made = (value: unknown): Behaviour =>
  changed((response) => ({ ...response, convertedObjects: value }))
const http = (status: number, body: string): Behaviour => text(body, { status })

const behaviours: Readonly<Record<string, Behaviour>> = {
  converts: converting,
  'other uid': changed((response) => ({ ...response, uid: 'x' })),
  'no uid': changed(({ uid: _uid, ...response }) => response),
  'failed without a message': result({ status: 'Failure' }),
  'failed with a message': result({ status: 'Failure', message: 'told' }),
  'failed with everything': result({
    status: 'Failure',
    message: 'told',
    reason: 'Why',
    code: 418,
    details: { name: 'x' },
  }),
  'an unknown status': result({ status: 'Maybe' }),
  'an empty result': result({}),
  'a null result': result(null),
  'no result': changed(({ result: _result, ...response }) => response),
  'a result as text': result('Success'),
  'no response': changed(() => null),
  'no objects': made([]),
  'null objects': made(null),
  'objects as map': made({}),
  'a null object': made([null]),
  'a string object': made(['x']),
  'a number as object': made([5]),
  'a list as object': made([[]]),
  'an empty object': made([{}]),
  'too many objects': changed((response, objects) => ({
    ...response,
    convertedObjects: [...objects, ...objects],
  })),
  'other version': each((object) => (object.apiVersion = 'hooked.example.com/v3')),
  'same version': each(
    (object) =>
      (object.apiVersion = object.apiVersion.endsWith('v1')
        ? 'hooked.example.com/v2'
        : 'hooked.example.com/v1'),
  ),
  'other group': each((object) => (object.apiVersion = 'other/v2')),
  'no version': each((object) => Object.assign(object, { apiVersion: undefined })),
  'version as number': each((object) => Object.assign(object, { apiVersion: 5 })),
  'other kind': each((object) => (object['kind'] = 'Other')),
  'no kind': each((object) => (object['kind'] = undefined)),
  'other name': metadata({ name: 'zz' }),
  'no name': metadata({ name: undefined }),
  'name as number': metadata({ name: 5 }),
  'other namespace': metadata({ namespace: 'zz' }),
  'other uid of an object': metadata({ uid: 'zz' }),
  'no uid of an object': metadata({ uid: undefined }),
  'no metadata': each((object) => Object.assign(object, { metadata: undefined })),
  'null metadata': each((object) => Object.assign(object, { metadata: null })),
  'metadata as text': each((object) => Object.assign(object, { metadata: 'x' })),
  labels: metadata({ labels: { a: 'b' } }),
  'empty labels': metadata({ labels: {} }),
  'null labels': metadata({ labels: null }),
  'an invalid label': metadata({ labels: { 'A B': 'c' } }),
  'an invalid value of a label': metadata({ labels: { a: 'A B' } }),
  'a number as label': metadata({ labels: { a: 5 } }),
  'a null label': metadata({ labels: { a: null } }),
  'labels as list': metadata({ labels: [] }),
  'labels as text': metadata({ labels: 'x' }),
  annotations: metadata({ annotations: { a: 'A B' } }),
  'an invalid annotation': metadata({ annotations: { 'A B': 'c' } }),
  'a number as annotation': metadata({ annotations: { a: 5 } }),
  'large annotations': metadata({ annotations: { a: 'x'.repeat(300_000) } }),
  finalizers: metadata({ finalizers: ['example.com/f'] }),
  owners: metadata({ ownerReferences: [{ kind: 'A', apiVersion: 'v1', name: 'a', uid: 'u' }] }),
  'other generation and revision': metadata({
    generation: 77,
    resourceVersion: '77',
    creationTimestamp: null,
  }),
  'unknown metadata': metadata({ more: 1 }),
  'unknown fields': each((object) => Object.assign(object, { more: { a: 1 } })),
  'unknown fields of the spec': each((object) =>
    Object.assign(object, { spec: { size: 1, count: 2, more: 3 } }),
  ),
  'an invalid spec': each((object) => Object.assign(object, { spec: { size: 'x', count: 'x' } })),
  'no spec': each((object) => Object.assign(object, { spec: undefined })),
  'spec as text': each((object) => Object.assign(object, { spec: 'x' })),
  'a null spec': each((object) => Object.assign(object, { spec: null })),
  'a status': each((object) => Object.assign(object, { status: { ready: 1 } })),
  'fractional numbers': each((object) =>
    Object.assign(object, { spec: { size: 1.5, count: 1.5 } }),
  ),
  'an empty body': text(''),
  'an empty object as body': text('{}'),
  'null as body': text('null'),
  'a list as body': text('[]'),
  'text as body': text('hello'),
  'broken JSON': text('{"kind":'),
  'other review': text(
    '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"{uid}"}}',
  ),
  'older review': text(
    '{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1beta1","response":{"uid":"{uid}"}}',
  ),
  'unknown review': text(
    '{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v7","response":{"uid":"{uid}"}}',
  ),
  'a status as body': text(
    '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"told"}',
  ),
  'no kind of a review': text(
    '{"apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"{uid}"}}',
  ),
  ...Object.fromEntries(
    [201, 204, 400, 401, 403, 404, 409, 410, 422, 500, 503].map((code) => [
      `HTTP ${code}`,
      http(code, code === 204 ? '' : 'boom'),
    ]),
  ),
  'a closed connection': () => ({ isCut: true }),
}

export const kinds = '/apis/hooked.example.com'
const path = (version: string) => `${kinds}/${version}/namespaces/{ns}/things`
const thing = (version: string, name: string, spec: object) => ({
  ...{ kind: 'Thing', apiVersion: `hooked.example.com/${version}` },
  ...{ metadata: { name }, spec },
})
const applyType = { 'content-type': 'application/apply-patch+yaml' }

/** Objects of a case, which need no conversion. */
export const firstObjects: readonly Call[] = [
  post(path('v1'), thing('v1', 'a', { size: 1 })),
  post(path('v1'), thing('v1', 'b', { size: 2 })),
]

/** Requests that store no object that the webhook could not convert. */
export const lastCalls: readonly Call[] = ['a', 'b', 'c', 'd'].map((name) =>
  remove(`${path('v1')}/${name}`),
)

/**
 * Requests that only read: a list or watch that fails once leaves the real server without one for a
 * while.
 */
const reading: readonly Call[] = [
  get(path('v2')),
  get(path('v1')),
  get(`${path('v2')}?watch=true&timeoutSeconds=1&resourceVersion=0`),
]

const converts = new Set([
  ...['converts', 'labels', 'empty labels', 'null labels', 'annotations', 'finalizers', 'owners'],
  ...['other generation and revision', 'unknown metadata', 'unknown fields', 'a status'],
])

export const conversionCases: readonly ConversionCase[] = Object.entries(behaviours).map(
  ([name, behaviour]) => ({
    ...{ name, behaviour },
    calls: [
      get(`${path('v2')}/a`),
      get(`${path('v1')}/a`),
      ...(converts.has(name) ? reading : []),
      post(path('v2'), thing('v2', 'c', { count: 3 })),
      post(path('v1'), thing('v1', 'd', { size: 3 })),
      put(`${path('v2')}/a`, thing('v2', 'a', { count: 4 })),
      patch(`${path('v2')}/a`, { spec: { count: 5 } }, mergeType),
      patch(`${path('v2')}/a?fieldManager=m&force=true`, thing('v2', 'a', { count: 6 }), applyType),
      patch(`${path('v2')}/a/status`, { status: { ready: 2 } }, mergeType),
      remove(`${path('v2')}/a`),
      remove(`${path('v1')}/b`),
    ],
  }),
)
