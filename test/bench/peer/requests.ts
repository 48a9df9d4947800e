import type { Contestant } from './contestant.ts'

/** Requests of the comparison, with the placeholders of the load generator as in sample.ts. */

const digits = '\x01'.repeat(10)
const time = '\x02'.repeat(19)

type Target = Pick<Contestant, 'collection' | 'content' | 'token'>

export function create({ collection, content, token }: Target, prefix: string): string {
  const metadata = {
    name: `${prefix}-${digits}`,
    namespace: 'default',
    labels: { app: 'bench', shard: `s${'\x01'.repeat(2)}` },
    annotations: { 'bench/t': `${time}.${digits}` },
  }
  const written = JSON.stringify({ ...content, metadata })
  const body = written.replaceAll('\\u0001', '\x01').replaceAll('\\u0002', '\x02')
  const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`]
  return request(`POST ${collection}`, token, headers) + body
}

/** Object that `create` created with the number of the request. */
export function get({ collection, token }: Target, prefix: string): string {
  return request(`GET ${collection}/${prefix}-${digits}`, token)
}

export function getFirst({ collection, token }: Target, prefix: string): string {
  return request(`GET ${collection}/${prefix}-${'0'.repeat(10)}`, token)
}

export function remove({ collection, token }: Target, prefix: string): string {
  return request(`DELETE ${collection}/${prefix}-${digits}`, token)
}

export function list({ collection, token }: Target, query = '', headers: string[] = []): string {
  return request(`GET ${collection}${query}`, token, headers)
}

/** Watch request for changes after `resourceVersion`. */
export function watch({ collection, token }: Target, resourceVersion: string): string {
  const query = `?watch=1&resourceVersion=${resourceVersion}&timeoutSeconds=600`
  return request(`GET ${collection}${query}`, token)
}

function request(line: string, token: string, headers: string[] = []): string {
  const common = ['Host: 127.0.0.1', `Authorization: Bearer ${token}`]
  return [`${line} HTTP/1.1`, ...common, ...headers, '', ''].join('\r\n')
}
