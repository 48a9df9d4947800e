/** Objects and requests of the benchmark. */

export const collection = '/apis/management.platform/v1/namespaces/default/sharedsecrets'
// Bytes that the load generator replaces by digits: of the request's number, and of the time in
// nanoseconds.
const numberDigit = '\x01'
const timeDigit = '\x02'
/** Placeholder for the number of the request. */
export const numberedDigits = numberDigit.repeat(10)

/** Address and token of a server; raw servers accept any token. */
export interface Address {
  port: number
  token: string
}

/**
 * Create with a response of about 1,024 bytes, with a number in its name, and a time and that
 * number in an annotation. One in a hundred has the given label `shard`.
 */
export function createRequest(address: Address, prefix: string): string {
  const object = {
    apiVersion: 'management.platform/v1',
    kind: 'SharedSecret',
    metadata: {
      name: `${prefix}-${numberedDigits}`,
      namespace: 'default',
      labels: { app: 'bench', shard: `s${numberDigit.repeat(2)}` },
      annotations: { 'bench/t': `${timeDigit.repeat(19)}.${numberedDigits}` },
    },
    spec: {
      displayName: `A secret of the benchmark, number ${numberedDigits}`,
      data: { password: 'c2VjcmV0'.repeat(57), 'tls.crt': 'Y2VydGlm'.repeat(13) },
    },
  }
  return postRequest(address, collection, object)
}

/** Create of an object that may contain placeholders of the load generator. */
export function postRequest({ token }: Address, path: string, object: unknown): string {
  // The placeholders represent ASCII digits; JSON would escape them.
  const body = JSON.stringify(object).replaceAll('\\u0001', '\x01').replaceAll('\\u0002', '\x02')
  const headers = [`Content-Type: application/json`, `Content-Length: ${body.length}`]
  return request('POST', path, token, headers) + body
}

/** Object created by createRequest with number 0. */
export function getRequest({ token }: Address, prefix: string): string {
  return request('GET', `${collection}/${prefix}-${'0'.repeat(10)}`, token)
}

export function listRequest(
  { token }: Address,
  labelSelector = '',
  headers: string[] = [],
): string {
  const query = labelSelector === '' ? '' : `?labelSelector=${encodeURIComponent(labelSelector)}`
  return request('GET', `${collection}${query}`, token, headers)
}

/** List of all objects in one response, at a revision or the newest. */
export function revisionListRequest({ token }: Address, revision?: string): string {
  const query =
    revision === undefined ? '' : `?resourceVersion=${revision}&resourceVersionMatch=Exact`
  return request('GET', `${collection}${query}`, token)
}

/** Watch of future changes, without the existing objects. */
export function watchRequest({ token }: Address, resourceVersion: string): string {
  const query = `?watch=1&resourceVersion=${resourceVersion}&timeoutSeconds=600`
  return request('GET', collection + query, token)
}

/** Request for the server's own metrics. */
export function metricsRequest({ token }: Address): string {
  return request('GET', '/metrics', token)
}

function request(method: string, path: string, token: string, headers: string[] = []): string {
  const common = ['Host: 127.0.0.1', `Authorization: Bearer ${token}`]
  return [`${method} ${path} HTTP/1.1`, ...common, ...headers, '', ''].join('\r\n')
}
