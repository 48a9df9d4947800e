import { expect } from 'chai'
import type { Answer, HttpClient } from '../../endpoints/support/httpClient.ts'
import { management, openBob, useTestServer } from '../../endpoints/support/testServer.ts'

const path = `${management}/virtualclustersyncexplanations`
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const at = 'sync.toHost.endpoints.patches'
const configOf = (...patches: object[]) =>
  JSON.stringify({ sync: { toHost: { endpoints: { patches } } } })
const annotations = { a: 'x', b: 'y' }
const object = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'db', annotations } }

describe('virtualclustersyncexplanations', function () {
  this.timeout(20_000)
  const server = useTestServer()
  let admin: HttpClient
  let bob: HttpClient

  before(async () => {
    admin = server().admin
    bob = await openBob(server())
  })

  const post = (spec: object, client = admin) => client.post(path, { spec })
  const evaluated = (expression: string, given: object = object) =>
    post({ object: given, config: configOf({ path: 'metadata.annotations[*]', expression }) })
  const causesOf = (answer: Answer) => answer.field('details', 'causes')

  it('report what each patch did and the resulting host object: 201', async () => {
    const patch = `
sync:
  toHost:
    endpoints:
      patches:
      - path: metadata.annotations.a
        expression: '"p-" + value'
`
    const names = { virtualCluster: 'my-vcluster', hostNamespace: 'team-x' }
    const answer = await post({ config: patch, object, ...names })
    expect(answer.status, answer.text).to.equal(201)
    const { patches, host, object: title } = answer.field('status') as Record<string, unknown>
    expect([title, patches]).to.deep.equal([
      'Endpoints default/db',
      [
        {
          path: 'metadata.annotations.a',
          by: '"p-" + value',
          matches: [{ path: 'metadata.annotations.a', input: 'x', result: 'p-x' }],
        },
      ],
    ])
    expect((host as typeof object).metadata).to.deep.include({
      name: 'db-x-default-x-my-vcluster',
      namespace: 'team-x',
    })
  })

  it('default everything but the object', async () => {
    const answer = await post({ object })
    expect(answer.field('status', 'host', 'metadata', 'name')).to.equal('db-x-default-x-vcluster')
  })

  it('report why an object is not synced', async () => {
    const answer = await post({ object: { ...object, kind: 'Pod' } })
    expect([answer.status, answer.field('status')]).to.deep.equal([
      201,
      {
        object: 'Pod default/db',
        notSynced: 'Pod of v1 is not synced: Services and Endpoints of v1 are',
      },
    ])
  })

  const refused: [name: string, spec: object, causes: [field: string, message: string][]][] = [
    [
      'a configuration that is no YAML',
      { object, config: 'a: 1\nb: "x\n' },
      [['spec.config', 'Invalid value: yaml: line 3: Missing closing "quote']],
    ],
    [
      'a wrong configuration, with a cause for each problem',
      { object, config: configOf({ path: 'a[', expression: '1' }, { path: 'b' }) },
      [
        ['spec.config', `Invalid value: ${at}[0].path is invalid: unexpected unclosed bracket`],
        [
          'spec.config',
          `Invalid value: ${at}[1] need to use one of: expression, labels or reference`,
        ],
      ],
    ],
    [
      'an expression that is none',
      { object, config: configOf({ path: 'a', expression: 'let x' }) },
      [
        [
          'spec.config',
          `Invalid value: ${at}[0].expression is not an ES6 expression: SyntaxError: unexpected token in expression: 'let'`,
        ],
      ],
    ],
    [
      'no object',
      {},
      ['apiVersion', 'kind', 'metadata.name'].map((field): [string, string] => [
        'spec.object',
        `Invalid value: ${field} is required`,
      ]),
    ],
    [
      'a configuration that is too long',
      { object, config: `a: ${'x'.repeat(256 * 1024)}` },
      [['spec.config', 'Too long: may not be more than 262144 bytes']],
    ],
    [
      'an object that is too long',
      { object: { ...object, subsets: ['x'.repeat(64 * 1024)] } },
      [['spec.object', 'Too long: may not be more than 65536 bytes']],
    ],
  ]
  for (const [name, spec, causes] of refused) {
    it(`refuse ${name}: 422`, async () => {
      const answer = await post(spec)
      expect([answer.status, answer.field('kind'), answer.field('reason')]).to.deep.equal([
        422,
        'Status',
        'Invalid',
      ])
      const found = causesOf(answer) as { field: string; message: string }[]
      expect(found.map(({ field, message }) => [field, message])).to.deep.equal(causes)
    })
  }

  it('refuse a body over the limit of all requests: 413', async () => {
    const answer = await post({ object, config: 'x'.repeat(3 * 1024 * 1024) })
    expect([answer.status, answer.field('reason')]).to.deep.equal([413, 'RequestEntityTooLarge'])
  })

  describe('expressions that exhaust', () => {
    const cases: [name: string, expression: string, want: RegExp][] = [
      ['time', '(() => { for (;;); })()', /the expression took more than 50 ms$/],
      ['memory', '"x".repeat(1e7).split("")', /more than 8388608 bytes of memory$/],
      ['the stack', '(function f() { return f() })()', /stack overflow|Maximum call stack/i],
      [
        'the engine',
        'new Array(2 ** 32 - 1).lastIndexOf(1)',
        /the expression took more than \d+ ms$/,
      ],
      ['the answer', '"x".repeat(300000)', /the result is larger than 262144 bytes$/],
    ]
    for (const [name, expression, want] of cases) {
      it(`${name}: 201 with the error, and the next requests are answered`, async () => {
        const answer = await evaluated(expression)
        expect(answer.status, answer.text).to.equal(201)
        expect(answer.field('status', 'error')).to.match(want)
        expect(answer.field('status')).not.to.have.property('host')
        expect((await evaluated('value')).field('status')).not.to.have.property('error')
      })
    }

    it('time, spread over many patches', async () => {
      // Consumes processor time, which is what counts, instead of checking the clock.
      const slow = '(() => { for (let i = 0; i < 3e5; i++); return value })()'
      const patches = Array.from({ length: 800 }, (_, index) => ({
        path: `metadata.annotations.k${index}`,
        expression: slow,
      }))
      const many = Object.fromEntries(patches.map((_, index) => [`k${index}`, 'x']))
      const given = { ...object, metadata: { name: 'db', annotations: many } }
      const answer = await post({ object: given, config: configOf(...patches) })
      expect(answer.field('status', 'error')).to.match(
        /the expressions took more than 2000 ms in all$/,
      )
    })

    it('the response size, spread over many patches', async () => {
      const patches = Array.from({ length: 10 }, (_, index) => ({
        path: `metadata.annotations.k${index}`,
        expression: '"x".repeat(200000)',
      }))
      const many = Object.fromEntries(patches.map((_, index) => [`k${index}`, 'x']))
      const given = { ...object, metadata: { name: 'db', annotations: many } }
      const answer = await post({ object: given, config: configOf(...patches) })
      expect(answer.field('status', 'error')).to.match(
        /the results are larger than 1048576 bytes in all$/,
      )
    })

    it('the queue: 429 with a retry time, while other requests are answered', async () => {
      const all = Promise.all(
        Array.from({ length: 12 }, () => evaluated('(() => { for (;;); })()')),
      )
      expect((await admin.get(`${management}/users`)).status).to.equal(200)
      const statuses = (await all).map(({ status }) => status)
      expect(new Set(statuses)).to.deep.equal(new Set([201, 429]))
      const late = (await all).find(({ status }) => status === 429)
      expect([late?.headers['retry-after'], late?.field('reason')]).to.deep.equal([
        '1',
        'TooManyRequests',
      ])
    })
  })

  it('require the right to create them: 403, and 401 without a credential', async () => {
    const denied = await post({ object }, bob)
    expect([denied.status, denied.field('message')]).to.deep.equal([
      403,
      'virtualclustersyncexplanations.management.platform is forbidden: User "bob" cannot create resource "virtualclustersyncexplanations" in API group "management.platform" at the cluster scope',
    ])
    expect((await post({ object }, bob.with({ authorization: '' }))).status).to.equal(401)
  })

  it('are allowed for administrators of projects', async () => {
    await admin.post(`${rbac}/clusterrolebindings`, {
      metadata: { name: 'bob-projects' },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'platform-management-project-admin',
      },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
    })
    expect((await post({ object }, bob)).status).to.equal(201)
  })

  it('cannot be listed: 405', async () => {
    expect((await admin.get(path)).status).to.equal(405)
  })
})
