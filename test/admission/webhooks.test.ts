import { expect } from 'chai'
import {
  configMaps,
  mutating,
  useHookedServer,
  validating,
  type HookedServer,
} from '../support/servers/hookedServer.ts'
import { patching, type ReviewAnswer } from '../support/servers/webhookServer.ts'

type Stored = Record<string, unknown> & { metadata?: object }

/** Source: seen on kube-apiserver 1.37.2, unless a title says otherwise. */
describe('webhooks', () => {
  const server = useHookedServer()
  let admin: HookedServer['admin']
  let hooks: HookedServer['hooks']
  before(() => {
    ;({ admin, hooks } = server())
  })
  const register = (path: string, name: string, ...webhooks: object[]) =>
    server().register(path, name, ...webhooks)
  const configMap = () => server().configMap()

  const status = 'failed calling webhook "v.example.dev": failed to call webhook:'
  const invalid = 'failed calling webhook "v.example.dev": received invalid webhook response:'
  const typeless =
    'Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
  const review = (response: string, version = 'v1') =>
    `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/${version}"${response}}`

  const brokenResponses: { name: string; code?: number; body: string; why: string }[] = [
    {
      name: '500',
      code: 500,
      body: 'boom',
      why: `${status} an error on the server ("boom") has prevented the request from succeeding`,
    },
    {
      name: '404',
      code: 404,
      body: 'x',
      why: `${status} the server could not find the requested resource`,
    },
    {
      name: '401',
      code: 401,
      body: 'x',
      why: `${status} the server has asked for the client to provide credentials`,
    },
    {
      name: '503',
      code: 503,
      body: 'x',
      why: `${status} the server is currently unable to handle the request`,
    },
    {
      name: 'an empty body',
      body: '',
      why: `${status} 0-length response with status code: 200 and content type: application/json`,
    },
    {
      name: 'half a body',
      body: '{',
      why: `${status} couldn't get version/kind; json parse error: unexpected end of JSON input`,
    },
    {
      name: 'a list',
      body: '[]',
      why: `${status} couldn't get version/kind; json parse error: json: cannot unmarshal array into ${typeless}`,
    },
    { name: 'an empty object', body: '{}', why: `${invalid} webhook response was absent` },
    { name: 'no response', body: review(''), why: `${invalid} webhook response was absent` },
    {
      name: 'v1beta1',
      body: review('', 'v1beta1'),
      why: `${status} converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion`,
    },
  ]
  for (const { name, code = 200, body, why } of brokenResponses) {
    it(`refuses with 500 when a webhook answers with ${name}`, async () => {
      hooks.on('/v', (_request, { response }) => {
        const type = code === 200 ? 'application/json' : 'text/plain'
        response.writeHead(code, { 'content-type': type }).end(body)
        return undefined
      })
      await register(validating, 'v', hooks.webhook('/v'))
      const answer = await admin.post(configMaps, configMap())
      expect([answer.status, answer.field('message')]).to.deep.equal([
        500,
        `Internal error occurred: ${why}`,
      ])
    })
  }

  const denied = 'admission webhook "v.example.dev" denied the request'
  const denials: { name: string; status?: object; want: object }[] = [
    { name: 'without a status', want: { message: `${denied} without explanation`, code: 400 } },
    {
      name: 'with a message',
      status: { message: 'no' },
      want: { message: `${denied}: no`, code: 400 },
    },
    {
      name: 'with a code',
      status: { code: 403, message: 'no' },
      want: { message: `${denied}: no`, code: 403 },
    },
    {
      name: 'with a code of success',
      status: { code: 200, message: 'x' },
      want: { message: `${denied}: x`, code: 400 },
    },
    {
      name: 'with a reason',
      status: { reason: 'Weird' },
      want: { message: `${denied}: Weird`, reason: 'Weird', code: 400 },
    },
    {
      name: 'with details',
      status: {
        code: 409,
        reason: 'Conflict',
        message: 'm',
        details: { name: 'q', causes: [{ message: 'c' }] },
      },
      want: {
        message: `${denied}: m`,
        reason: 'Conflict',
        details: { name: 'q', causes: [{ message: 'c' }] },
        code: 409,
      },
    },
  ]
  for (const { name, status: given, want } of denials) {
    it(`forwards a denial ${name}`, async () => {
      hooks.on('/v', () => ({ allowed: false, ...(given === undefined ? {} : { status: given }) }))
      await register(validating, 'v', hooks.webhook('/v'))
      const answer = await admin.post(configMaps, configMap())
      const { message, reason, details, code } = answer.json as Record<string, unknown>
      const told = { message, reason, details, code }
      expect(JSON.parse(JSON.stringify(told))).to.deep.equal(want)
      expect(answer.status).to.equal((want as { code: number }).code)
    })
  }

  it('sends each warning of a webhook once, without empty and invalid ones', async () => {
    hooks.on('/v', () => ({ allowed: true, warnings: ['w1', 'w2', 'w1', '', 'bad\nline'] }))
    await register(validating, 'v', hooks.webhook('/v'))
    const answer = await admin.post(configMaps, configMap())
    expect(answer.all('warning')).to.deep.equal(['299 - "w1"', '299 - "w2"'])
  })

  it('sends the attributes of a create to the webhook', async () => {
    await register(validating, 'v', hooks.webhook('/v'))
    await admin.post(`${configMaps}?fieldManager=me&dryRun=All`, { metadata: { name: 'told' } })
    const { uid, object, userInfo, ...rest } = server().firstReview()
    const kind = { group: '', version: 'v1', kind: 'ConfigMap' }
    const resource = { group: '', version: 'v1', resource: 'configmaps' }
    expect(rest).to.deep.equal({
      ...{ kind, resource, requestKind: kind, requestResource: resource },
      ...{ name: 'told', namespace: 'hooked', operation: 'CREATE', oldObject: null, dryRun: true },
      options: {
        kind: 'CreateOptions',
        apiVersion: 'meta.k8s.io/v1',
        dryRun: ['All'],
        fieldManager: 'me',
      },
    })
    expect((userInfo as { username: string }).username).to.equal('admin')
    expect(typeof uid).to.equal('string')
    expect((object as { kind: string }).kind).to.equal('ConfigMap')
    expect(hooks.reviews[0]?.headers['user-agent']).to.equal('kube-apiserver-admission')
  })

  it('tells webhooks and expressions nothing of the empty maps of a built-in kind', async () => {
    hooks.on('/v', () => ({ allowed: true }))
    const matchConditions = [
      { name: 'a', expression: '!has(object.data) && !has(object.metadata.labels)' },
    ]
    await register(validating, 'v', hooks.webhook('/v', { matchConditions }))
    const metadata = { name: 'empty', labels: {}, annotations: {}, finalizers: [] }
    const made = await admin.post(configMaps, { metadata, data: {}, binaryData: {} })
    expect(made.status, made.text).to.equal(201)
    const [created] = hooks.reviews.map(({ request }) => request.object as Stored)
    const { metadata: told = {}, ...rest } = created ?? {}
    expect(rest).to.deep.equal({ kind: 'ConfigMap', apiVersion: 'v1' })
    expect(Object.keys(told)).to.deep.equal(['name', 'namespace', 'uid', 'creationTimestamp'])
  })

  it('shows a webhook the options of a connection, which have no metadata', async () => {
    hooks.on('/v', () => ({ allowed: false, status: { message: 'no shell' } }))
    const rules = [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT'], resources: ['pods/exec'] },
    ]
    const spec = { containers: [{ name: 'c', image: 'i' }] }
    const pods = '/api/v1/namespaces/hooked/pods'
    await admin.post(pods, { metadata: { name: 'shell' }, spec })
    await register(validating, 'v', hooks.webhook('/v', { rules }))
    const answer = await admin.post(`${pods}/shell/exec?command=ls&stdout=true`, undefined)
    expect([answer.status, answer.field('message')]).to.deep.equal([
      400,
      'admission webhook "v.example.dev" denied the request: no shell',
    ])
    expect(server().firstReview()['object']).to.deep.include({ kind: 'PodExecOptions' })
  })

  it('patches an object without the empty maps of its body: a path below one is missing', async () => {
    const operation = { op: 'add', path: '/metadata/labels/a', value: 'b' }
    hooks.on('/m', () => patching(operation))
    await register(mutating, 'm', hooks.webhook('/m'))
    const metadata = { name: 'below', labels: {} }
    expect((await admin.post(configMaps, { metadata })).status).to.equal(500)
  })

  it('reads a response that begins with a byte order mark', async () => {
    hooks.on('/v', ({ uid }, { response }) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`\uFEFF${review(`,"response":{"uid":"${String(uid)}","allowed":true}`)}`)
      return undefined
    })
    await register(validating, 'v', hooks.webhook('/v'))
    expect((await admin.post(configMaps, configMap())).status).to.equal(201)
  })

  it('calls a webhook for each object of a deleted collection, although the request names none', async () => {
    for (const name of ['d1', 'd2']) {
      await admin.post(configMaps, { metadata: { name, labels: { gone: 'yes' } } })
    }
    await register(validating, 'v', hooks.webhook('/v'))
    await admin.call(`${configMaps}?labelSelector=gone%3Dyes`, { method: 'DELETE' })
    const told = hooks.reviews.map(({ request }) => [request.operation, request.name])
    expect(told).to.deep.equal([
      ['DELETE', undefined],
      ['DELETE', undefined],
    ])
  })

  const patches: { name: string; operation: object; want: object | string }[] = [
    {
      name: 'adds a member',
      operation: { op: 'add', path: '/data/x', value: 'y' },
      want: { k: 'v', x: 'y' },
    },
    {
      name: 'replaces what is missing',
      operation: { op: 'replace', path: '/data/q', value: 'y' },
      want: { k: 'v', q: 'y' },
    },
    {
      name: 'adds an unknown field',
      operation: { op: 'add', path: '/frob', value: 1 },
      want: { k: 'v' },
    },
    {
      name: 'removes what is missing',
      operation: { op: 'remove', path: '/data/none' },
      want: "error in remove for path: '/data/none': Unable to remove nonexistent key: none: missing value",
    },
    {
      name: 'adds below what is missing',
      operation: { op: 'add', path: '/data/x/y', value: 1 },
      want: 'add operation does not apply: doc is missing path: "/data/x/y": missing value',
    },
    {
      name: 'tests another value',
      operation: { op: 'test', path: '/data/k', value: 'z' },
      want: 'testing value /data/k failed: test failed',
    },
    {
      name: 'has an unknown step',
      operation: { op: 'frobnicate', path: '/data' },
      want: 'Unexpected kind: frobnicate',
    },
  ]
  for (const { name, operation, want } of patches) {
    it(`applies a patch that ${name}`, async () => {
      hooks.on('/m', () => patching(operation))
      await register(mutating, 'm', hooks.webhook('/m'))
      const answer = await admin.post(configMaps, configMap())
      if (typeof want === 'string') {
        expect(answer.field('message')).to.equal(`Internal error occurred: ${want}`)
      } else expect(answer.field('data')).to.deep.equal(want)
    })
  }

  it('calls mutating webhooks in name order, and reinvokes those that ask for it', async () => {
    const append =
      (text: string) =>
      (request: { object: unknown }): ReviewAnswer => {
        const { o = '' } = (request.object as { data: { o?: string } }).data
        return patching({ op: 'add', path: '/data/o', value: o + text })
      }
    hooks.on('/a', append('a'))
    hooks.on('/b', append('b'))
    const ifNeeded = { reinvocationPolicy: 'IfNeeded' }
    await register(mutating, 'm1', hooks.webhook('/c', ifNeeded), hooks.webhook('/a', ifNeeded))
    await register(mutating, 'm0', hooks.webhook('/b'))
    const answer = await admin.post(configMaps, configMap())
    expect(answer.field('data', 'o')).to.equal('ba')
    expect(hooks.reviews.map(({ path }) => path)).to.deep.equal(['/b', '/c', '/a', '/c'])
  })

  it('fails after the timeout with 500, or continues if failures are ignored', async () => {
    hooks.on('/v', () => undefined)
    await register(validating, 'v', hooks.webhook('/v', { timeoutSeconds: 1 }))
    const refused = await admin.post(configMaps, configMap())
    const url = hooks.url('/v?timeout=1s')
    expect(refused.field('message')).to.equal(
      `Internal error occurred: ${status} Post "${url}": context deadline exceeded`,
    )
    await admin.call(validating, { method: 'DELETE' })
    const ignoring = { timeoutSeconds: 1, failurePolicy: 'Ignore' }
    await register(validating, 'v', hooks.webhook('/v', ignoring))
    expect((await admin.post(configMaps, configMap())).status).to.equal(201)
  })

  it('evaluates match conditions: false wins over an error, which is 403', async () => {
    hooks.on('/v', () => ({ allowed: false }))
    const matchConditions = [
      { name: 'a', expression: 'object.data.k == "v"' },
      { name: 'b', expression: 'object.metadata.name != "skip"' },
    ]
    await register(validating, 'v', hooks.webhook('/v', { matchConditions }))
    const codes = []
    for (const object of [
      configMap(),
      { metadata: { name: 'other' }, data: { k: 'w' } },
      { metadata: { name: 'skip' } },
    ]) {
      codes.push((await admin.post(configMaps, object)).status)
    }
    expect(codes).to.deep.equal([400, 201, 201])
    const failed = await admin.post(configMaps, { metadata: { name: 'e' } })
    expect([failed.status, failed.field('message')]).to.deep.equal([
      403,
      'configmaps "e" is forbidden: expression \'object.data.k == "v"\' resulted in error: no such key: data',
    ])
  })
})
