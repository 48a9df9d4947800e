import { expect } from 'chai'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { LoopMeter } from './support/loopMeter.ts'
import { useTestServer } from './support/testServer.ts'

const json = 'application/json'
const merge = 'application/merge-patch+json'
const strategic = 'application/strategic-merge-patch+json'
const jsonPatch = 'application/json-patch+json'
const apply = 'application/apply-patch+yaml'

const core = '/api/v1/namespaces/default'
const custom = '/apis/example.com/v1/namespaces/default/boxes'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
const projects = '/apis/management.platform/v1/projects'
const keys = '/apis/management.platform/v1/ownedaccesskeys'

/** Size of the largest body and of the largest request. */
const members = 6_000
const items = 24_000
const sendable = 3 * 1024 * 1024

const many = (count: number, of: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => of(at)).join(',')
const map = (count: number, value = '0') => `{${many(count, (at) => `"k${at}":${value}`)}}`
const list = (count: number, value: string) => `[${many(count, () => value)}]`
const box = (name: string, spec: string) =>
  `{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"${name}"},"spec":${spec}}`
const configMap = (name: string, data: string) =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":${data}}`
const review = (rest: string) => `{"spec":{"resourceAttributes":{"verb":"get"}},${rest}}`
const definition = (plural: string, schema: string) =>
  `{"metadata":{"name":"${plural}.example.com"},"spec":{"group":"example.com","scope":"Namespaced",` +
  `"names":{"plural":"${plural}","kind":"${plural === 'boxes' ? 'Box' : plural}"},"versions":[{"name":"v1",` +
  `"served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}]}}`
const pattern = (text: string) =>
  `{"type":"object","properties":{"a":{"type":"string","pattern":"${text}"}}}`
const roleOf = (count: number) =>
  list(count, '{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}')

interface Attack {
  name: string
  line: string
  type?: string
  body?: string
  code: number
}

/** Attacks; those by users without rights come first. */
const attacks: readonly Attack[] = [
  {
    name: 'a review with unknown fields',
    line: `POST ${reviews}`,
    body: review(`"x":${map(1_200)}`),
    code: 201,
  },
  {
    name: 'a review of 220,000 unknown fields',
    line: `POST ${reviews}`,
    body: review(`"x":${map(220_000)}`),
    code: 413,
  },
  {
    name: 'a review with a selector of 3 MB',
    line: `POST ${reviews}`,
    body: `{"spec":{"resourceAttributes":{"verb":"get","labelSelector":{"rawSelector":"${many(300_000, (at) => `a${at}`)}"}}}}`,
    code: 201,
  },
  {
    name: 'a review in YAML',
    line: `POST ${reviews}`,
    type: 'application/yaml',
    body: `spec:\n  resourceAttributes: {verb: get}\nx:\n${Array.from({ length: 6_000 }, (_, at) => `  a${at}: 0`).join('\n')}\n`,
    code: 201,
  },
  {
    name: 'a key with a large scope',
    line: `POST ${keys}`,
    body: `{"metadata":{"name":"k"},"spec":{"user":"admin","groups":${list(items, '"a"')}}}`,
    code: 201,
  },
  {
    name: 'a body of 3 MB that is no JSON',
    line: `POST ${reviews}`,
    body: `{${' '.repeat(sendable - 10)}x`,
    code: 400,
  },
  { name: 'a login of 500 KB', line: 'POST /auth/password/login', body: map(50_000), code: 413 },
  {
    name: 'delete with options',
    line: `DELETE ${core}/configmaps/none`,
    body: `{"x":${map(members)}}`,
    code: 404,
  },
  {
    name: 'deletecollection with options',
    line: `DELETE ${core}/secrets?labelSelector=none`,
    body: `{"x":${map(members)}}`,
    code: 200,
  },
  {
    name: 'a list with a long selector',
    line: `GET ${core}/configmaps?labelSelector=${encodeURIComponent(many(5_000, (at) => `a${at}!=b`))}`,
    code: 200,
  },
  {
    name: 'a list with a long field selector',
    line: `GET ${core}/configmaps?fieldSelector=${encodeURIComponent(many(2_500, (at) => `metadata.name!=a${at}`))}`,
    code: 200,
  },
  {
    name: 'create of a config map',
    line: `POST ${core}/configmaps`,
    body: configMap('many', map(members, '"1"')),
    code: 201,
  },
  {
    name: 'create of one large text',
    line: `POST ${core}/configmaps`,
    body: configMap('large', `{"a":"${'x'.repeat(1_000_000)}"}`),
    code: 201,
  },
  {
    name: 'PUT of a config map',
    line: `PUT ${core}/configmaps/many`,
    body: configMap('many', map(members, '"2"')),
    code: 200,
  },
  {
    name: 'merge patch',
    line: `PATCH ${core}/configmaps/many`,
    type: merge,
    body: `{"data":${map(members, '"3"')}}`,
    code: 200,
  },
  {
    name: 'strategic merge patch',
    line: `PATCH ${core}/configmaps/many`,
    type: strategic,
    body: `{"data":${map(members, '"4"')}}`,
    code: 200,
  },
  {
    name: 'JSON patch',
    line: `PATCH ${core}/configmaps/many`,
    type: jsonPatch,
    body: `[${many(9_000, (at) => `{"op":"add","path":"/data/k${at % 5_000}","value":"5"}`)}]`,
    code: 200,
  },
  {
    name: 'server-side apply',
    line: `PATCH ${core}/configmaps/applied?fieldManager=m`,
    type: apply,
    body: configMap('applied', map(members, '"1"')),
    code: 201,
  },
  {
    name: 'server-side apply of 60,000 fields',
    line: `PATCH ${core}/configmaps/applied?fieldManager=m`,
    type: apply,
    body: configMap('applied', map(60_000, '"1"')),
    code: 413,
  },
  {
    name: 'create of a custom object with a wide map',
    line: `POST ${custom}`,
    body: box('wide', map(members)),
    code: 201,
  },
  {
    name: 'create of a custom object with a long list',
    line: `POST ${custom}`,
    body: box('long', `{"l":${list(16_000, '{"a":1}')}}`),
    code: 201,
  },
  {
    name: 'apply of a custom object',
    line: `PATCH ${custom}/one?fieldManager=m`,
    type: apply,
    body: box('one', map(members)),
    code: 201,
  },
  {
    name: 'apply of the same',
    line: `PATCH ${custom}/one?fieldManager=m`,
    type: apply,
    body: box('one', map(members)),
    code: 200,
  },
  {
    name: 'apply by another with force',
    line: `PATCH ${custom}/one?fieldManager=n&force=true`,
    type: apply,
    body: box('one', map(members, '1')),
    code: 200,
  },
  {
    name: 'a small patch of a large object',
    line: `PATCH ${custom}/one`,
    type: merge,
    body: '{"spec":{"z":1}}',
    code: 200,
  },
  { name: 'get as YAML', line: `GET ${custom}/one`, type: 'application/yaml', code: 200 },
  {
    name: 'a project with many members',
    line: `POST ${projects}`,
    body: `{"metadata":{"name":"p"},"spec":{"members":${list(4_000, '{"kind":"User","name":"a","clusterRole":"x"}')}}}`,
    code: 201,
  },
  {
    name: 'a role with many rules',
    line: `POST ${roles}`,
    body: `{"metadata":{"name":"r"},"rules":${roleOf(4_000)}}`,
    code: 201,
  },
  {
    name: 'a definition with a pattern of 480 KB',
    line: `POST ${definitions}`,
    body: definition('pats', pattern('(a|b)*c'.repeat(68_000))),
    code: 422,
  },
  {
    name: 'a definition with a pattern of 4 KB',
    line: `POST ${definitions}`,
    body: definition('pat', pattern('(a|b)*c'.repeat(580))),
    code: 201,
  },
  { name: 'all OpenAPI documents of v3, one changed', line: 'GET /openapi/v3', code: 200 },
  { name: 'the OpenAPI document of v2, changed', line: 'GET /openapi/v2', code: 200 },
  {
    name: 'the OpenAPI document of v2 as protobuf, changed',
    line: 'GET /openapi/v2',
    type: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    code: 200,
  },
  { name: 'deletecollection', line: `DELETE ${custom}`, code: 200 },
]

/**
 * Thread that sends requests, so that creating and sending large bodies does not block the server's
 * loop.
 */
const senderCode = `
const { request } = require('node:http')
const { parentPort } = require('node:worker_threads')
parentPort.on('message', ({ url, method, headers, body }) => {
  const bytes = Buffer.from(body)
  const options = { method, headers: { ...headers, 'content-length': bytes.length } }
  request(url, options, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (part) => { if (text.length < 500) text += part })
    response.once('end', () => parentPort.postMessage({ code: response.statusCode, text }))
  })
    .on('error', (error) => parentPort.postMessage({ code: 0, text: String(error) }))
    .end(bytes)
})`

/** Time that the runtime alone currently takes for the largest body on this machine. */
function rawStep(): number {
  const text = map(members, '"1"')
  const began = performance.now()
  for (let time = 0; time < 4; time++) JSON.stringify(JSON.parse(text))
  return performance.now() - began
}

describe('the event loop under single requests of the largest size', () => {
  const server = useTestServer()
  const meter = new LoopMeter()
  let sender: Worker | undefined

  before(async () => {
    sender = new Worker(senderCode, { eval: true, execArgv: [] })
    await send({
      name: '',
      line: `POST ${definitions}`,
      body: definition('boxes', '{"type":"object","x-kubernetes-preserve-unknown-fields":true}'),
      code: 201,
    })
    // Code that runs for the first time is slow, whatever the request.
    for (const { line, type = json } of attacks)
      await send({ name: '', line: `${line}`, type, body: '{}', code: 0 })
  })

  after(async () => {
    meter.stop()
    await sender?.terminate()
  })

  async function send({
    line,
    type = json,
    body = '',
  }: Attack): Promise<{ code: number; text: string }> {
    const [method = '', path = ''] = line.split(' ')
    const { running } = server()
    const accept = method === 'GET' ? { accept: type } : {}
    const headers = {
      authorization: `Bearer ${running.adminAccessKey}`,
      'content-type': type,
      ...accept,
    }
    const sent = { url: `${running.insecureUrl}${path}`, method, headers, body }
    sender?.postMessage(sent)
    const [answer] = (await once(sender as Worker, 'message')) as [{ code: number; text: string }] // made above
    return answer
  }

  for (const attack of attacks) {
    it(`${attack.name} blocks it no longer than the runtime needs for a large body`, async function () {
      this.timeout(30_000)
      const most = Math.max(50, 12 * rawStep())
      meter.take()
      const answer = await send(attack)
      const held = meter.take()
      expect(answer.code, answer.text.slice(0, 300)).to.equal(attack.code)
      expect(held, 'milliseconds').to.be.below(most)
    })
  }
})
