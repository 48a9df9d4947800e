import { goQuote } from '../../meta/goQuote.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { jsonText } from '../../meta/json/exactJson.ts'
import type { ApiObject } from '../../meta/types.ts'
import { CallProblem } from '../../webhooks/callProblem.ts'
import { parseReview } from '../../webhooks/parseReview.ts'

const group = 'apiextensions.k8s.io'

export interface ConversionRequest {
  uid: string
  desiredAPIVersion: string
  objects: readonly ApiObject[]
}

/** Body of a call. Source: Kubernetes API reference, ConversionReview; seen on kube-apiserver 1.37.2. */
export function conversionReview(request: ConversionRequest, version: string): string {
  const response = { uid: '', convertedObjects: null, result: { metadata: {} } }
  return jsonText({
    kind: 'ConversionReview',
    apiVersion: `${group}/${version}`,
    request,
    response,
  })
}

/** Objects of a response, as the webhook sent them. @throws CallProblem. Source: seen on kube-apiserver 1.37.2. */
export function convertedObjects(body: string, uid: string, version: string): readonly unknown[] {
  const review = parseReview(body)
  checkType(review, version)
  const { response } = review
  if (!isObject(response)) throw new CallProblem('no response provided')
  if (version === 'v1' && response['uid'] !== uid) {
    const found = typeof response['uid'] === 'string' ? response['uid'] : ''
    throw new CallProblem(`expected response.uid=${goQuote(uid)}, got ${goQuote(found)}`)
  }
  checkResult(isObject(response['result']) ? response['result'] : {})
  const { convertedObjects: objects } = response
  return Array.isArray(objects) ? (objects as unknown[]) : []
}

function checkType({ kind = '', apiVersion = '' }: Record<string, unknown>, version: string): void {
  const other = version === 'v1' ? 'v1beta1' : 'v1'
  if (kind === 'ConversionReview' && apiVersion === `${group}/${version}`) return
  if (kind === 'ConversionReview' && apiVersion === `${group}/${other}`) {
    const [from, to] = [`${other}.ConversionReview`, `${version}.ConversionReview`]
    throw new CallProblem(`converting (${from}) to (${to}): unknown conversion`)
  }
  if (kind === '' && apiVersion === '') {
    const wanted = `${group}/${version}, Kind=ConversionReview`
    throw new CallProblem(`expected webhook response of ${wanted}, got /, Kind=`)
  }
  const known = 'in scheme "pkg/runtime/scheme.go:111"'
  throw new CallProblem(
    `no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(apiVersion))} ${known}`,
  )
}

function checkResult({ status = '', message }: Record<string, unknown>): void {
  if (status === 'Success') return
  const told = typeof message === 'string' && message !== '' ? message : undefined
  throw new CallProblem(told ?? `response.result.status was '${String(status)}', not 'Success'`)
}
