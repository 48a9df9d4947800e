import { goQuote } from '../../meta/goQuote.ts'
import { parseReview, shownType, type DecodedReview } from '../../webhooks/parseReview.ts'
import { admissionReview } from '../../webhooks/reviewTypes.ts'
import { invalidResponse } from './webhookRefusals.ts'

/** Decision of a webhook. */
export interface Verdict {
  allowed: boolean
  /** Reason of the refusal, as sent by the webhook. */
  status: unknown
  /** A JSON patch as a string; empty: no change. */
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

/** Reads the body of a response. @throws WebhookCallError, CallProblem. */
export async function readVerdict(
  body: string,
  { uid, version, mutating }: Expected,
): Promise<Verdict> {
  const form = {
    type: admissionReview,
    group: 'admission.k8s.io',
    version,
    kind: 'AdmissionReview',
  }
  const review = await parseReview(body, form)
  const response = responseOf(review, { uid, version })
  const { patch = '', patchType: type } = response
  checkPatch(patch, type, { version, mutating })
  return {
    allowed: response.allowed === true,
    status: response.status,
    patch: mutating ? Buffer.from(patch, 'base64').toString() : '',
    patchType: type ?? (patch === '' ? '' : 'JSONPatch'),
    warnings: response.warnings ?? [],
    auditAnnotations: response.auditAnnotations ?? {},
  }
}

/** Response in its decoded form. */
interface DecodedResponse {
  uid?: string
  allowed?: boolean
  status?: unknown
  patch?: string
  patchType?: string
  warnings?: string[]
  auditAnnotations?: Record<string, string>
}

/** Response of a review, which must have the requested version. */
function responseOf(
  review: DecodedReview,
  { uid, version }: Pick<Expected, 'uid' | 'version'>,
): DecodedResponse {
  const response = review.response as DecodedResponse | undefined // guaranteed by its type
  if (response === undefined) throw invalidResponse('webhook response was absent')
  if (version !== 'v1') return response
  if (response.uid !== uid) {
    const found = goQuote(response.uid ?? '')
    throw invalidResponse(`expected response.uid=${goQuote(uid)}, got ${found}`)
  }
  const { kind, apiVersion } = review
  if (kind === 'AdmissionReview' && apiVersion === 'admission.k8s.io/v1') return response
  const wanted = 'admission.k8s.io/v1, Kind=AdmissionReview'
  throw invalidResponse(`expected webhook response of ${wanted}, got ${shownType(review)}`)
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
