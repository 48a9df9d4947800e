import { expect } from 'chai'
import { deadline } from '../support/deadlines.ts'
import { configMaps, useHookedServer, validating } from '../support/servers/hookedServer.ts'

const group = '/apis/admissionregistration.k8s.io/v1'
const secrets = '/api/v1/namespaces/hooked/secrets'

/** Expression that uses nearly all of the cost of one call. */
const costly = `[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c,
  [0,1,2,3,4,5,6,7,8,9].all(d, [0,1,2,3,4,5,6].all(e, a + b + c + d + e >= 0)))))`

const matched = (resource: string) => ({
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] },
  ],
})

describe('hostile policies', () => {
  const server = useHookedServer()

  afterEach(async () => {
    for (const kind of ['mutating', 'validating'])
      for (const plural of ['admissionpolicies', 'admissionpolicybindings'])
        await server().admin.call(`${group}/${kind}${plural}`, { method: 'DELETE' })
  })

  async function bind(kind: 'mutating' | 'validating', spec: object, binding: object = {}) {
    const { admin } = server()
    const policies = `${group}/${kind}admissionpolicies`
    const made = await admin.post(policies, { metadata: { name: 'p.x.io' }, spec })
    expect(made.status, made.text).to.equal(201)
    const bound = { policyName: 'p.x.io', ...binding }
    const bindings = `${group}/${kind}admissionpolicybindings`
    const done = await admin.post(bindings, { metadata: { name: 'p.x.io' }, spec: bound })
    expect(done.status, done.text).to.equal(201)
  }

  /** Longest time in ms of other requests, while `work` runs. */
  async function longestWait(work: Promise<unknown>): Promise<number> {
    const { admin } = server()
    let isOver = false
    const ended = work.finally(() => (isOver = true))
    let longest = 0
    while (!isOver) {
      const start = performance.now()
      expect((await admin.get('/version')).status).to.equal(200)
      longest = Math.max(longest, performance.now() - start)
    }
    await ended
    return longest
  }

  it('with many costly validations and parameters give way to others', async function () {
    this.timeout(deadline(60_000))
    const hooked = server()
    const { admin } = hooked
    for (let at = 0; at < 2; at++) {
      const parameter = { metadata: { name: `param${at}`, labels: { param: 'yes' } } }
      expect((await admin.post(configMaps, parameter)).status).to.equal(201)
    }
    await bind(
      'validating',
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: matched('secrets'),
        validations: Array.from({ length: 5 }, () => ({ expression: costly })),
      },
      {
        validationActions: ['Deny'],
        paramRef: {
          selector: { matchLabels: { param: 'yes' } },
          parameterNotFoundAction: 'Deny',
        },
      },
    )
    const secret = admin.post(secrets, { metadata: { name: 's' } })
    const start = performance.now()
    const longest = await longestWait(secret)
    const { status, text } = await secret
    expect(status, text).to.equal(201)
    // A validation runs before others have their turn, not all ten.
    expect(longest).to.be.below((performance.now() - start) / 2)
  })

  it('with many costly match conditions of webhooks give way to others', async function () {
    this.timeout(deadline(60_000))
    const { admin, hooks } = server()
    const webhooks = Array.from({ length: 10 }, (_, at) => ({
      ...hooks.webhook('/v', { timeoutSeconds: 1 }),
      name: `w${at}.x.io`,
      rules: matched('secrets').resourceRules,
      matchConditions: [
        { name: 'costly', expression: costly },
        { name: 'never', expression: 'false' },
      ],
    }))
    const made = await admin.post(validating, { metadata: { name: 'many' }, webhooks })
    expect(made.status, made.text).to.equal(201)
    const secret = admin.post(secrets, { metadata: { name: 't' } })
    const start = performance.now()
    const longest = await longestWait(secret)
    expect((await secret).status).to.equal(201)
    expect(longest).to.be.below((performance.now() - start) / 2)
  })

  it('that let an object grow are refused once it is larger than a request', async () => {
    const { admin } = server()
    await bind('mutating', {
      matchConstraints: matched('configmaps'),
      reinvocationPolicy: 'Never',
      mutations: Array.from({ length: 200 }, (_, at) => ({
        patchType: 'JSONPatch',
        jsonPatch: { expression: `[JSONPatch{op: "copy", from: "/data/a", path: "/data/b${at}"}]` },
      })),
    })
    const start = performance.now()
    const object = { metadata: { name: 'grows' }, data: { a: 'x'.repeat(900_000) } }
    const { status, text } = await admin.post(configMaps, object)
    expect(status, text).to.equal(413)
    expect(text).to.contain('limit is 3145728')
    expect(performance.now() - start).to.be.below(deadline(2_000))
  })
})
