import { expect } from 'chai'
import { startOwnServer, type OwnServer } from '../differential/realServer/servers/ownServer.ts'
import {
  applyType,
  get,
  mergeType,
  patch,
  post,
  put,
  remove,
  type Call,
} from '../differential/call.ts'
import { send } from '../differential/side.ts'

const watched = '/api/v1/watch/namespaces/default/configmaps'
const token = '/api/v1/namespaces/default/serviceaccounts/default/token'
const deployments = '/apis/apps/v1/namespaces/default/deployments'
const scale = `${deployments}/a/scale?dryRun=All&fieldManager=m`
const scaleOf = (spec: object) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a' },
  spec,
})
const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
}
const deployment = {
  metadata: { name: 'a' },
  spec: { replicas: 2, selector: { matchLabels: { a: 'b' } }, template },
}
const otherNamespace =
  'the namespace of the provided object does not match the namespace sent on the request'

const cases: readonly { name: string; call: Call; want: RegExp }[] = [
  {
    name: 'a list below an empty namespace is that of all namespaces',
    call: get('/api/v1/namespaces//serviceaccounts?limit=1'),
    want: /^200 .*"ServiceAccountList"/,
  },
  {
    name: 'a deprecated watch path judges its options as those of a list',
    call: get(`${watched}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan`),
    want: /^422 .*sendInitialEvents is forbidden for list/,
  },
  {
    name: 'a namespace tells of preconditions in the words of the storage',
    call: remove('/api/v1/namespaces/default', { preconditions: { uid: 'x' } }),
    want: /^409 .*namespaces \\"default\\": Precondition failed: UID in precondition: x, UID in object meta: /,
  },
  {
    name: 'finalize names the finalizer by its index',
    call: put('/api/v1/namespaces/default/finalize', {
      metadata: { name: 'default' },
      spec: { finalizers: ['x y'] },
    }),
    want: /^422 .*"field":"spec.finalizers\[0\]"/,
  },
  {
    name: 'a token for no time is refused',
    call: post(token, { spec: { expirationSeconds: 0 } }),
    want: /^422 .*may not specify a duration less than 10 minutes/,
  },
  {
    name: 'a token of another account is a conflict',
    call: post(token, { metadata: { uid: 'x' }, spec: {} }),
    want: /^409 .*the UID in the token request \(x\) does not match/,
  },
  {
    name: 'a token for nobody in particular is for the issuer',
    call: post(token, { spec: {} }),
    want: /^201 .*"audiences":\["[^",]+"\]/,
  },
  {
    name: 'an applied scale without replicas changes nothing',
    call: patch(scale, scaleOf({}), applyType),
    want: /^200 .*"replicas":2/,
  },
  {
    name: 'a conflict of scales names the version of the scale',
    call: patch(scale, scaleOf({ replicas: 3 }), applyType),
    want: /^409 .*using autoscaling\/v1: .spec.replicas/,
  },
  {
    name: 'a patch of a scale stays in its namespace',
    call: patch(scale, { metadata: { namespace: 'x' } }, mergeType),
    want: new RegExp(`^400 .*${otherNamespace}`),
  },
  {
    name: 'any tag of a document is known to a client that has anything',
    call: get('/openapi/v3', { 'if-none-match': '*' }),
    want: /^304 $/,
  },
]

/** Source: seen on kube-apiserver 1.37.2. */
describe('small response forms', () => {
  let server: OwnServer
  before(async function () {
    this.timeout(20_000)
    server = await startOwnServer()
    await send(server.side, post(deployments, deployment))
  })
  after(() => server.stop())

  for (const { name, call, want } of cases)
    it(name, async () => {
      const { status, body } = await send(server.side, call)
      expect(`${status} ${body.trim()}`).to.match(want)
    })
})
