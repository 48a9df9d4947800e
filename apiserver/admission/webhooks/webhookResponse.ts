import { goQuote } from '../../meta/goQuote.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { parseReview } from '../../webhooks/parseReview.ts'
import { invalidResponse, callFailed } from './webhookRefusals.ts'

/** Decision of a webhook. */
export interface Verdict {
  allowed: boolean
  /** Why not; as the webhook sent it. */
  status: unknown
  /** A JSON patch as text; empty: nothing is changed. */
  patch: string
  patchType: string
  warnings: string[]
  auditAnnotations: Record<string, string>
}

interface Expected {
  uid: string
  version: string
  mutating: boolean
}

/** Reads the body of a response. @throws WebhookCallError. */
export function readVerdict(body: string, { uid, version, mutating }: Expected): Verdict {
  const response = responseOf(parseReview(body), { uid, version })
  const patch = typeof response['patch'] === 'string' ? response['patch'] : ''
  const type = response['patchType']
  checkPatch(patch, type, { version, mutating })
  return {
    allowed: response['allowed'] === true,
    status: response['status'],
    patch: mutating ? Buffer.from(patch, 'base64').toString() : '',
    patchType: typeof type === 'string' ? type : patch === '' ? '' : 'JSONPatch',
    warnings: textsOf(response['warnings']),
    auditAnnotations: textMembers(response['auditAnnotations']),
  }
}

/** Response of a review in the requested version. */
function responseOf(
  review: Record<string, unknown>,
  { uid, version }: Pick<Expected, 'uid' | 'version'>,
): Record<string, unknown> {
  const { kind = '', apiVersion = '', response } = review
  if (version === 'v1') {
    if (apiVersion === 'admission.k8s.io/v1beta1' && kind === 'AdmissionReview') {
      const why = 'converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion'
      throw callFailed(why)
    }
    checkType(kind, apiVersion)
  }
  if (!isObject(response)) throw invalidResponse('webhook response was absent')
  if (version === 'v1' && response['uid'] !== uid) {
    const found = typeof response['uid'] === 'string' ? response['uid'] : ''
    throw invalidResponse(`expected response.uid=${goQuote(uid)}, got ${goQuote(found)}`)
  }
  return response
}

/** Without a type the response is taken for one of this version. */
function checkType(kind: unknown, apiVersion: unknown): void {
  if (kind === '' && apiVersion === '') return
  if (kind === 'AdmissionReview' && apiVersion === 'admission.k8s.io/v1') return
  if (apiVersion === 'admission.k8s.io/v1') {
    const known = `is registered for version "admission.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"`
    throw callFailed(`no kind ${goQuote(String(kind))} ${known}`)
  }
  const found = `${String(apiVersion)}, Kind=${String(kind)}`
  const shown = apiVersion === '' && kind === '' ? '/, Kind=' : found
  const wanted = 'admission.k8s.io/v1, Kind=AdmissionReview'
  throw invalidResponse(`expected webhook response of ${wanted}, got ${shown}`)
}

function checkPatch(
  patch: string,
  type: unknown,
  { version, mutating }: Pick<Expected, 'version' | 'mutating'>,
): void {
  const hasType = type !== undefined && type !== null
  if (version !== 'v1') return
  if (!mutating) {
    if (patch !== '') throw invalidResponse('validating webhook may not return response.patch')
    if (hasType) throw invalidResponse('validating webhook may not return response.patchType')
    return
  }
  if (patch !== '' && !hasType) {
    throw invalidResponse('webhook returned response.patch but not response.patchType')
  }
  if (patch === '' && hasType) {
    throw invalidResponse('webhook returned response.patchType but not response.patch')
  }
  if (type === '') throw invalidResponse('webhook returned invalid response.patchType of ""')
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

function textMembers(value: unknown): Record<string, string> {
  if (!isObject(value)) return {}
  const texts = Object.entries(value).filter((entry): entry is [string, string] => {
    return typeof entry[1] === 'string'
  })
  return Object.fromEntries(texts)
}
