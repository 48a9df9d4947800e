import { goQuote } from '../../meta/goQuote.ts'
import { jsonText } from '../../meta/json/exactJson.ts'
import type { ApiObject } from '../../meta/types.ts'
import { CallProblem } from '../../webhooks/callProblem.ts'
import { parseReview, shownType } from '../../webhooks/parseReview.ts'
import { conversionReview as type } from '../../webhooks/reviewTypes.ts'

const group = 'apiextensions.k8s.io'

export interface ConversionRequest {
  uid: string
  desiredAPIVersion: string
  objects: readonly ApiObject[]
}

/**
 * Body of a webhook call. Source: Kubernetes API reference, ConversionReview; seen on
 * kube-apiserver 1.37.2.
 */
export function conversionReview(request: ConversionRequest, version: string): string {
  const response = { uid: '', convertedObjects: null, result: { metadata: {} } }
  return jsonText({
    kind: 'ConversionReview',
    apiVersion: `${group}/${version}`,
    request,
    response,
  })
}

/**
 * Objects in a response to a review of `count` objects, as sent by the webhook. @throws CallProblem.
 * Source: seen on kube-apiserver 1.37.2.
 */
export async function convertedObjects(
  body: string,
  { uid, version, count }: { uid: string; version: string; count: number },
): Promise<readonly unknown[]> {
  const form = { type, group, version, kind: 'ConversionReview', objects: count }
  const review = await parseReview(body, form)
  const wanted = `${group}/${version}`
  if (review.kind !== 'ConversionReview' || review.apiVersion !== wanted) {
    const expected = `${wanted}, Kind=ConversionReview`
    throw new CallProblem(`expected webhook response of ${expected}, got ${shownType(review)}`)
  }
  const response = review.response as DecodedResponse | undefined // guaranteed by its type
  if (response === undefined) throw new CallProblem('no response provided')
  if (version === 'v1' && response.uid !== uid) {
    const found = goQuote(response.uid ?? '')
    throw new CallProblem(`expected response.uid=${goQuote(uid)}, got ${found}`)
  }
  checkResult(response.result ?? {})
  return response.convertedObjects ?? []
}

/** Response in its decoded form. */
interface DecodedResponse {
  uid?: string
  convertedObjects?: unknown[]
  result?: { status?: string; message?: string }
}

function checkResult({ status = '', message = '' }: { status?: string; message?: string }): void {
  if (status === 'Success') return
  throw new CallProblem(
    message === '' ? `response.result.status was '${status}', not 'Success'` : message,
  )
}
