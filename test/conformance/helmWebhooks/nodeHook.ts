import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The program of an operator: converts orders, reviews them, and serves the stock. Arguments: certificate and key. */
const [, , certFile = '', keyFile = ''] = process.argv

interface Order {
  apiVersion: string
  metadata: { name?: string }
  spec?: Record<string, unknown>
}

interface Review {
  kind: string
  apiVersion: string
  request: { uid: string; object: Order; objects: Order[]; desiredAPIVersion: string }
}

const fields: Readonly<Record<string, string>> = { v1: 'size', v2: 'count' }
const fieldOf = (apiVersion: string) => fields[apiVersion.split('/')[1] ?? ''] ?? ''

function converted(order: Order, apiVersion: string): Order {
  const { [fieldOf(order.apiVersion)]: amount, ...rest } = order.spec ?? {}
  return { ...order, apiVersion, spec: { ...rest, [fieldOf(apiVersion)]: amount } }
}

const patch = [{ op: 'add', path: '/metadata/labels', value: { reviewed: 'yes' } }]

const reviews: Readonly<Record<string, (request: Review['request']) => object>> = {
  '/convert': ({ objects, desiredAPIVersion }) => ({
    result: { status: 'Success' },
    convertedObjects: objects.map((order) => converted(order, desiredAPIVersion)),
  }),
  '/mutate': () => ({
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  }),
  '/validate': ({ object }) =>
    object.metadata.name === 'denied'
      ? { allowed: false, status: { code: 403, message: 'not wanted' } }
      : { allowed: true },
}

const root = '/apis/stock.charts.test.example/v1'
const documents: Readonly<Record<string, object>> = {
  [root]: {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: 'stock.charts.test.example/v1',
    resources: [
      { name: 'items', singularName: 'item', namespaced: false, kind: 'Item', verbs: ['list'] },
    ],
  },
  [`${root}/items`]: {
    kind: 'ItemList',
    apiVersion: 'stock.charts.test.example/v1',
    metadata: {},
    items: [{ metadata: { name: 'bolt' } }],
  },
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const path = (request.url ?? '').split('?', 1)[0] ?? ''
  const review = reviews[path]
  response.setHeader('content-type', 'application/json')
  if (review === undefined) {
    response.statusCode = documents[path] === undefined ? 404 : 200
    response.end(JSON.stringify(documents[path] ?? {}))
    return
  }
  const {
    kind,
    apiVersion,
    request: asked,
  } = JSON.parse(Buffer.concat(chunks).toString()) as Review
  const made = { uid: asked.uid, ...review(asked) }
  response.end(JSON.stringify({ kind, apiVersion, response: made }))
}

const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) }
const server = createServer(tls, (request, response) => void answer(request, response))
server.listen(0, 'localhost', () => {
  // The server listens on a port.
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`)
})
