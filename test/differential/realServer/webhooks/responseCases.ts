import { get, post, remove } from '../../call.ts'
import { allow, answer, configMap, configMaps, text, type Hook, type HookCase } from './hookCase.ts'
import type { Behaviour } from './reviewServer.ts'

const long = 'w'.repeat(40)
const v1 = '"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"'
const v1beta1 = '"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1"'
const yes = '"response":{"uid":"{uid}","allowed":true}'
const no = (status: object | null) => answer({ allowed: false, status })
const warn = (...warnings: unknown[]) => answer({ allowed: true, warnings })
const http = (status: number, body: string, headers = {}) => text(body, { status, headers })
const statusBody = (fields: object) =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...fields })

/** Every type of response of a webhook, by name. */
const responses: Readonly<Record<string, Behaviour>> = {
  ...{ allowed: allow, denied: answer({ allowed: false }), 'denied null': no(null) },
  'no decision': answer({}),
  ...Object.fromEntries(
    [
      0, 1, -1, 200, 201, 399, 400, 401, 403, 404, 409, 410, 415, 418, 422, 429, 499, 500, 503, 599,
      999,
    ].map((code) => [`code ${code}`, no({ code, message: 'no' })]),
  ),
  'code alone': no({ code: 418 }),
  'message alone': no({ message: 'no' }),
  'reason alone': no({ reason: 'Teapot' }),
  'reason and message': no({ reason: 'Forbidden', message: 'no' }),
  'reason and code': no({ reason: 'NotFound', code: 404 }),
  'empty status': no({}),
  'empty message': no({ message: '', reason: '', code: 403 }),
  'lines in the message': no({ message: 'a\nb\tc "d" é', code: 403 }),
  'unknown status word': no({ status: 'Maybe', message: 'no' }),
  'status of success': no({ status: 'Success', message: 'no', code: 403 }),
  'metadata of a status': no({
    metadata: { resourceVersion: '7', remainingItemCount: 3, selfLink: '/x' },
    message: 'no',
  }),
  'unknown fields of a status': no({ message: 'no', more: 1, details: { more: 2 } }),
  details: no({
    message: 'no',
    code: 422,
    reason: 'Invalid',
    details: {
      name: 'n',
      group: 'g',
      kind: 'k',
      uid: 'u',
      retryAfterSeconds: 3,
      causes: [{ reason: 'FieldValueRequired', message: 'm', field: 'f' }],
    },
  }),
  'causes without fields': no({ message: 'no', details: { causes: [{}] } }),
  'empty details': no({ message: 'no', details: {} }),
  'retry after': no({ message: 'no', code: 429, details: { retryAfterSeconds: 7 } }),
  'retry after 0': no({ message: 'no', code: 429, details: { retryAfterSeconds: 0 } }),
  'retry after without a code': no({ message: 'no', details: { retryAfterSeconds: 7 } }),
  'status while allowed': answer({ allowed: true, status: { code: 403, message: 'no' } }),
  'allowed as text': answer({ allowed: 'true' }),
  'allowed as number': answer({ allowed: 1 }),
  'code as text': no({ code: '403', message: 'no' }),
  'fractional code': no({ code: 403.5, message: 'no' }),
  'message as number': no({ message: 5 }),
  'status as text': answer({ allowed: false, status: 'no' }),
  'status as list': answer({ allowed: false, status: [] }),
  'warnings as text': answer({ allowed: true, warnings: 'w' }),
  'warnings as numbers': warn(1),
  'null warnings': answer({ allowed: true, warnings: null }),
  'a null warning': warn(null, 'a'),
  'one warning': warn('w'),
  'two warnings': warn('a', 'b'),
  'a repeated warning': warn('a', 'a', 'b', 'a'),
  'an empty warning': warn('', 'a'),
  'blank warnings': warn(' ', '  a  '),
  'control characters in warnings': warn('a\nb', 'c\td', 'e\u0000f', 'g'),
  'quotes in warnings': warn('a "b" \\c', "d'e"),
  'warnings beyond ASCII': warn('é', '✓', '\u{1F600}', '\u0085', '\u2028'),
  'a long warning': warn('x'.repeat(1000)),
  'a longer warning': warn('x'.repeat(5000)),
  'long warnings beyond ASCII': warn('é'.repeat(3000)),
  'many long warnings': warn(...Array.from({ length: 300 }, (_one, at) => `${at} ${long}`)),
  'many short warnings': warn(...Array.from({ length: 1000 }, (_one, at) => String(at))),
  'two large warnings': warn('a'.repeat(3000), 'b'.repeat(3000)),
  'warnings of a denial': answer({
    allowed: false,
    warnings: ['a', 'b'],
    status: { message: 'no' },
  }),
  'audit annotations': answer({ allowed: true, auditAnnotations: { a: 'b', 'A B': 'c', '': 'd' } }),
  'audit annotations of another type': answer({ allowed: true, auditAnnotations: { a: 1 } }),
  'audit annotations as list': answer({ allowed: true, auditAnnotations: [] }),
  'other uid': answer({ allowed: true, uid: 'x' }),
  'empty uid': answer({ allowed: true, uid: '' }),
  'null uid': answer({ allowed: true, uid: null }),
  'uid as number': answer({ allowed: true, uid: 5 }),
  'other uid of a denial': answer({ allowed: false, uid: 'x' }),
  'unknown fields': answer({ allowed: true, more: { a: 1 } }, { more: 1, request: null }),
  'null response': answer({}, { response: null }),
  'response as list': answer({}, { response: [] }),
  'response as text': answer({}, { response: 'x' }),
  'no response': text(`{${v1}}`),
  'an empty object': text('{}'),
  'an empty body': text(''),
  'a blank body': text(' \n'),
  null: text('null'),
  'a list': text('[]'),
  'a string': text('"x"'),
  'a number': text('5'),
  true: text('true'),
  text: text('hello'),
  'broken JSON': text('{"kind":'),
  'more than JSON': text(`{${v1},${yes}}x`),
  'two objects': text(`{${v1},${yes}}{}`),
  'trailing spaces': text(`{${v1},${yes}} \n`),
  'a byte order mark': text(`\uFEFF{${v1},${yes}}`),
  'a trailing comma': text(`{${v1},${yes},}`),
  YAML: text(
    'kind: AdmissionReview\napiVersion: admission.k8s.io/v1\nresponse: {uid: "{uid}", allowed: true}\n',
  ),
  'YAML with its type': http(
    200,
    'kind: AdmissionReview\napiVersion: admission.k8s.io/v1\nresponse: {uid: "{uid}", allowed: true}\n',
    { 'content-type': 'application/yaml' },
  ),
  'repeated members': text(`{${v1},${yes},"response":{"uid":"{uid}","allowed":false}}`),
  'capital letters': text(`{${v1},"Response":{"uid":"{uid}","allowed":true}}`),
  'capital letters inside': text(`{${v1},"response":{"uid":"{uid}","Allowed":true}}`),
  'v1beta1 in place of v1': text(`{${v1beta1},${yes}}`),
  v2: text(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v2",${yes}}`),
  'other group': text(`{"kind":"AdmissionReview","apiVersion":"example.com/v1",${yes}}`),
  'no group': text(`{"kind":"AdmissionReview","apiVersion":"v1",${yes}}`),
  'other kind': text(`{"kind":"Other","apiVersion":"admission.k8s.io/v1",${yes}}`),
  'a kind of the core': text(`{"kind":"Pod","apiVersion":"v1",${yes}}`),
  'a status': text(statusBody({ message: 'm', code: 200 })),
  'no kind': text(`{"apiVersion":"admission.k8s.io/v1",${yes}}`),
  'no version': text(`{"kind":"AdmissionReview",${yes}}`),
  'neither kind nor version': text(`{${yes}}`),
  'kind as number': text(`{"kind":5,"apiVersion":"admission.k8s.io/v1",${yes}}`),
  'odd version': text(`{"kind":"AdmissionReview","apiVersion":"a/b/c",${yes}}`),
  'validating patch type': answer({ allowed: true, patchType: 'JSONPatch' }),
  'patch without type': answer({ allowed: true, patch: 'W10=' }),
  'unknown patch type': answer({ allowed: true, patchType: 'MergePatch', patch: 'e30=' }),
  'empty patch type': answer({ allowed: true, patchType: '', patch: 'W10=' }),
  'empty patch': answer({ allowed: true, patchType: 'JSONPatch', patch: '' }),
  'null patch and type': answer({ allowed: true, patchType: null, patch: null }),
  'patch that is no base64': answer({ allowed: true, patchType: 'JSONPatch', patch: '!' }),
  'patch of a denial': answer({
    allowed: false,
    patchType: 'JSONPatch',
    patch: 'W10=',
    status: { message: 'no' },
  }),
  'patch as list': answer({ allowed: true, patchType: 'JSONPatch', patch: [] }),
  ...Object.fromEntries(
    [
      201, 202, 204, 206, 299, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 415, 422, 429,
      499, 500, 501, 502, 503, 504, 505, 599,
    ].map((code) => [`HTTP ${code}`, http(code, code === 204 || code === 304 ? '' : 'boom')]),
  ),
  ...Object.fromEntries(
    [400, 401, 403, 404, 409, 410, 422, 429, 500, 503, 504].flatMap((code) => [
      [
        `HTTP ${code} with a Status`,
        http(code, statusBody({ message: 'told', reason: 'Why', code })),
      ],
      [`HTTP ${code} without a body`, http(code, '')],
    ]),
  ),
  ...Object.fromEntries(
    [400, 403, 406, 410, 415, 500].map((code) => [
      `HTTP ${code} with a text`,
      http(code, ' boom\n', { 'content-type': 'text/plain; charset=utf-8' }),
    ]),
  ),
  'HTTP 500 with an empty Status': http(500, statusBody({ code: 500 })),
  'HTTP 500 with a successful Status': http(500, statusBody({ status: 'Success', message: 'm' })),
  'HTTP 500 with a Status of another type': http(500, statusBody({ message: 'm' }), {
    'content-type': 'text/plain',
  }),
  'HTTP 500 with lines': http(500, 'a\n"b"\n'),
  'HTTP 500 with a long body': http(500, 'x'.repeat(5000)),
  'HTTP 500 with a review': http(500, `{${v1},"response":{"uid":"{uid}","allowed":true}}`),
  'HTTP 200 with a Status': http(200, statusBody({ message: 'told', code: 403 })),
  'HTTP 200 as text': http(200, `{${v1},${yes}}`, { 'content-type': 'text/plain' }),
  'HTTP 200 of no type': http(200, `{${v1},${yes}}`, { 'content-type': '' }),
  'HTTP 200 of an odd type': http(200, `{${v1},${yes}}`, { 'content-type': 'x/y; a=b' }),
  'HTTP 201 with a review': http(201, `{${v1},${yes}}`),
  'HTTP 500 with Retry-After': http(500, 'boom', { 'retry-after': '0' }),
  'redirects of no method': http(302, '', { location: '/elsewhere' }),
  'a redirect to nowhere': http(307, '', {}),
  'a redirect to another scheme': http(307, '', { location: 'ftp://127.0.0.1/x' }),
  'a redirect to itself': ({}, path) => ({ status: 307, headers: { location: path } }),
  'half of a body': text(`{${v1},${yes}}`, { isCut: true }),
  'an encoded body': http(200, `{${v1},${yes}}`, { 'content-encoding': 'x-unknown' }),
}

const types = ['validating', 'mutating'] as const
const policies = ['Fail', 'Ignore'] as const

/**
 * Each response of both types of webhooks, under each failure policy, for a create and a delete.
 */
export const responseCases: readonly HookCase[] = Object.entries(responses).flatMap(
  ([name, behaviour]) =>
    types.flatMap((type) =>
      policies.map((failurePolicy) => caseOf(name, behaviour, { type, failurePolicy })),
    ),
)

function caseOf(
  name: string,
  behaviour: Behaviour,
  { type, failurePolicy }: { type: Hook['type']; failurePolicy: string },
): HookCase {
  return {
    name: `${type} answers ${name}, ${failurePolicy}`,
    hooks: [{ type, behaviour, fields: { failurePolicy } }],
    setup: [post(configMaps, configMap('old'))],
    calls: [
      post(configMaps, configMap('new')),
      get(`${configMaps}/new`),
      remove(`${configMaps}/old`),
    ],
  }
}

const beta = (behaviour: Behaviour, type: Hook['type']): Hook => ({
  ...{ type, behaviour },
  fields: { admissionReviewVersions: ['v1beta1', 'v1'] },
})

const betaResponses: Readonly<Record<string, Behaviour>> = {
  allowed: allow,
  'without a uid': text(`{${v1beta1},"response":{"allowed":true}}`),
  'with another uid': answer({ allowed: true, uid: 'x' }),
  'without kind and version': text('{"response":{"allowed":true}}'),
  'v1 in place of v1beta1': text(`{${v1},${yes}}`),
  'a patch without type': answer({ allowed: true, patch: 'W10=' }),
  'a denial': answer({ allowed: false, status: { message: 'no', code: 403 } }),
  'no response': text(`{${v1beta1}}`),
}

/** Responses of webhooks that are called with the older version. */
export const betaCases: readonly HookCase[] = Object.entries(betaResponses).flatMap(
  ([name, behaviour]) =>
    types.map((type) => ({
      name: `${type} answers v1beta1: ${name}`,
      hooks: [beta(behaviour, type)],
      calls: [post(configMaps, configMap('new'))],
    })),
)

/** Webhooks that are unreachable or too late. */
export const unreachableCases: readonly HookCase[] = types.flatMap((type) =>
  policies.flatMap((failurePolicy) => {
    const hook = (name: string, fields: object, behaviour = allow): HookCase => ({
      name: `${type} that is ${name}, ${failurePolicy}`,
      hooks: [{ type, behaviour, fields: { failurePolicy, ...fields } }],
      calls: [post(configMaps, configMap('new'))],
    })
    const service = (rest: object) => ({
      clientConfig: { service: { namespace: '{ns}', ...rest } },
    })
    return [
      hook('not listening', { clientConfig: { url: 'https://127.0.0.1:1/x' } }),
      hook('not to be found', { clientConfig: { url: 'https://no.such.invalid/x' } }),
      hook('no service', service({ name: 'none' })),
      hook('no service, with a path', service({ name: 'none', path: '/a/b', port: 8443 })),
      hook('not trusted', { clientConfig: { url: '{url}' } }),
      hook('of a broken bundle', { clientConfig: { url: '{url}', caBundle: 'AAAA' } }),
      hook('too late', { timeoutSeconds: 1 }, (review, path) => ({
        ...allow(review, path),
        afterMs: 1_400,
      })),
    ]
  }),
)
