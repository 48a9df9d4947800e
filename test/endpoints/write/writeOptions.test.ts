import { expect } from 'chai'
import { users, useTestServer } from '../support/testServer.ts'
import { badRequest, failure, invalidOptions } from '../support/status.ts'

const notSupported = (field: string, message: string) => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${message}`,
  field,
})
const badDryRun = notSupported('dryRun', '["x"]: supported values: "All"')
const badValidation = notSupported(
  'fieldValidation',
  '"x": supported values: "", "Ignore", "Strict", "Warn"',
)
const forceOfOthers = {
  reason: 'FieldValueForbidden',
  message: 'Forbidden: may not be specified for non-apply patch',
  field: 'force',
}

describe('write options', () => {
  const server = useTestServer()
  const kinds = [
    ['POST', users, 'CreateOptions', 'application/json'],
    ['PUT', `${users}/admin`, 'UpdateOptions', 'application/json'],
    ['PATCH', `${users}/admin`, 'PatchOptions', 'application/merge-patch+json'],
  ] as const

  const cases = [
    ['dryRun=x', [badDryRun]],
    ['dryRun=All&dryRun=x', [notSupported('dryRun', '["All","x"]: supported values: "All"')]],
    ['dryRun=', [notSupported('dryRun', '[""]: supported values: "All"')]],
    ['fieldValidation=x', [badValidation]],
    [
      `fieldManager=${'m'.repeat(129)}`,
      [
        {
          reason: 'FieldValueTooLong',
          message: 'Too long: may not be more than 128 bytes',
          field: 'fieldManager',
        },
      ],
    ],
    [
      'fieldManager=%C3%A4%07b',
      [
        {
          reason: 'FieldValueInvalid',
          message: 'Invalid value: "ä\\ab": invalid character U+0007 (at position 2)',
          field: 'fieldManager',
        },
      ],
    ],
    ['dryRun=x&fieldValidation=x', [badDryRun, badValidation]],
  ] as const
  for (const [method, path, kind, type] of kinds.slice(0, 2)) {
    it(`${method}: bad options are reported before a bad body (reference 1.2, 1.15, 3.1)`, async () => {
      const answer = await server().admin.call(`${path}?dryRun=x`, {
        method,
        body: 'no JSON',
        headers: { 'content-type': type },
      })
      expect([answer.status, answer.json]).to.deep.equal([422, invalidOptions(kind, [badDryRun])])
    })
  }

  for (const [method, path, kind, type] of kinds) {
    for (const [query, causes] of cases) {
      it(`${method} ?${query.slice(0, 40)} is 422 of ${kind} (reference 1.15)`, async () => {
        const answer = await server().admin.call(`${path}?${query}`, {
          method,
          body: '{"metadata":{"name":"admin"}}',
          headers: { 'content-type': type },
        })
        expect([answer.status, answer.json]).to.deep.equal([422, invalidOptions(kind, causes)])
      })
    }
  }

  it('force is for apply only: 422 (reference 1.15)', async () => {
    const answer = await server().admin.patch(`${users}/admin?force=true`, 'merge-patch+json', {})
    expect([answer.status, answer.json]).to.deep.equal([
      422,
      invalidOptions('PatchOptions', [forceOfOthers]),
    ])
  })

  it('errors are reported in the order force, fieldManager, dryRun (reference 1.15)', async () => {
    const query = 'force=true&dryRun=x&fieldManager=%07'
    const answer = await server().admin.patch(`${users}/admin?${query}`, 'merge-patch+json', {})
    expect(answer.field('details', 'causes')).to.deep.equal([
      forceOfOthers,
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: "\\a": invalid character U+0007 (at position 0)',
        field: 'fieldManager',
      },
      badDryRun,
    ])
  })

  it('PUT: bad options are reported before an unknown media type (reference 1.12, 1.15)', async () => {
    const answer = await server().admin.call(`${users}/admin?dryRun=x`, {
      method: 'PUT',
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    })
    expect([answer.status, answer.json]).to.deep.equal([
      422,
      invalidOptions('UpdateOptions', [badDryRun]),
    ])
  })

  const unknown =
    '{"metadata":{"name":"strict","nothing":1},"spec":{"a":1,"email":"x","email":"y"}}'
  const texts = [
    'unknown field "metadata.nothing"',
    'unknown field "spec.a"',
    'duplicate field "spec.email"',
  ]

  it('Strict refuses unknown and repeated fields: 400 (reference 1.13)', async () => {
    const answer = await server().admin.post(`${users}?fieldValidation=Strict`, unknown)
    const message = `User in version "v1" cannot be handled as a User: strict decoding error: ${texts.join(', ')}`
    expect([answer.status, answer.json]).to.deep.equal([400, badRequest(message)])
  })

  it('unknown fields are reported in the order of the body, at any depth (reference 1.13)', async () => {
    const body = '{"zz":1,"spec":{"qq":1,"aa":2},"metadata":{"name":"strict","z":1,"a":2},"bb":1}'
    const answer = await server().admin.post(`${users}?fieldValidation=Strict`, body)
    const order = ['zz', 'spec.qq', 'spec.aa', 'metadata.z', 'metadata.a', 'bb']
    expect(String(answer.field('message')).split('strict decoding error: ')[1]).to.equal(
      order.map((path) => `unknown field "${path}"`).join(', '),
    )
  })

  for (const query of ['', '&fieldValidation=Warn', '&fieldValidation=']) {
    it(`?${query} warns about each, one header line per message (reference 1.13, 1.8)`, async () => {
      const answer = await server().admin.post(`${users}?dryRun=All${query}`, unknown)
      const want = texts.map((text) => `299 - "${text.replaceAll('"', '\\"')}"`)
      expect([answer.status, answer.all('warning')]).to.deep.equal([201, want])
      expect(answer.field('spec')).to.deep.equal({ email: 'y' })
    })
  }

  it('Ignore gives no warnings (reference 1.13)', async () => {
    const path = `${users}?dryRun=All&fieldValidation=Ignore`
    const answer = await server().admin.post(path, unknown)
    expect([answer.status, answer.all('warning')]).to.deep.equal([201, []])
  })

  it('YAML gives the lines of repeated keys (reference 1.13)', async () => {
    const body = 'metadata:\n  name: strict\nspec:\n  email: a\n  email: b\n'
    const yaml = { 'content-type': 'application/yaml' }
    const answer = await server().admin.post(`${users}?fieldValidation=Strict`, body, yaml)
    const message =
      'User in version "v1" cannot be handled as a User: strict decoding error: yaml: unmarshal errors:\n  line 5: key "email" already set in map'
    expect([answer.status, answer.json]).to.deep.equal([400, badRequest(message)])
  })

  it('at most 100 problems are reported, within the limit of warnings (reference 1.13, 1.8)', async () => {
    const spec = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`${'long'.repeat(20)}${index}`, 1]),
    )
    const answer = await server().admin.post(`${users}?dryRun=All`, {
      metadata: { name: 'many' },
      spec,
    })
    const warnings = answer.all('warning')
    expect([answer.status, warnings.length > 10, warnings.length <= 100]).to.deep.equal([
      201,
      true,
      true,
    ])
    expect(warnings.join('').length).to.be.lessThan(6000)
  })

  it('a warning with control characters is omitted, one beyond Latin-1 is kept (reference 1.8)', async () => {
    const spec = { 'ü€': 1, 'a\nb': 2, 'q"\\': 3 }
    const answer = await server().admin.post(`${users}?dryRun=All`, {
      metadata: { name: 'odd' },
      spec,
    })
    const texts = answer.all('warning').map((text) => Buffer.from(text, 'latin1').toString('utf8'))
    expect([answer.status, texts]).to.deep.equal([
      201,
      [
        '299 - "unknown field \\"spec.ü€\\""',
        '299 - "unknown field \\"spec.a\\\\nb\\""',
        '299 - "unknown field \\"spec.q\\\\\\"\\\\\\\\\\""',
      ],
    ])
  })

  it('dryRun stores nothing and takes no revision (reference 1.14)', async () => {
    const { admin } = server()
    const before = await admin.get(users)
    const made = await admin.post(`${users}?dryRun=All`, { metadata: { name: 'dry' } })
    expect([made.status, made.field('metadata', 'resourceVersion')]).to.deep.equal([201, undefined])
    expect(made.field('metadata', 'uid')).to.match(/^[0-9a-f-]{36}$/)
    const put = await admin.put(`${users}/admin?dryRun=All`, {
      metadata: { name: 'admin' },
      spec: { displayName: 'dry' },
    })
    expect([put.status, put.field('spec', 'displayName')]).to.deep.equal([200, 'dry'])
    const patch = await admin.patch(`${users}/admin?dryRun=All`, 'merge-patch+json', {
      spec: { displayName: 'dry' },
    })
    expect([patch.status, patch.field('metadata', 'resourceVersion')]).to.deep.equal([
      200,
      put.field('metadata', 'resourceVersion'),
    ])
    const gone = await admin.delete(`${users}/admin?dryRun=All`)
    expect([gone.status, gone.field('status')]).to.deep.equal([200, 'Success'])
    const exists = await admin.post(`${users}?dryRun=All`, { metadata: { name: 'admin' } })
    expect(exists.status).to.equal(409)
    const invalid = await admin.post(`${users}?dryRun=All`, { metadata: { name: 'No' } })
    expect(invalid.status).to.equal(422)
    expect((await admin.get(users)).text).to.equal(before.text)
  })

  it('a resourceVersion on a create is 500 if it is a number, otherwise dropped (reference 3.1)', async () => {
    const create = (resourceVersion: string, name = 'rv') =>
      server().admin.post(users, { metadata: { name, resourceVersion } })
    const refused = await create('5')
    const message = 'resourceVersion should not be set on objects to be created'
    expect([refused.status, refused.json]).to.deep.equal([500, failure(500, '', message)])
    expect((await create('5', 'admin')).status).to.equal(500)
    expect((await create('5', 'No')).status).to.equal(422)
    for (const [at, version] of ['0', 'abc', '-1', '99999999999999999999', ''].entries()) {
      const made = await create(version, `rv-${at}`)
      expect(made.status).to.equal(201)
      expect(made.field('metadata', 'resourceVersion')).to.match(/^[1-9]\d*$/)
    }
  })

  for (const version of ['5', '0', 'abc', '"\\']) {
    it(`a dry run of a create accepts the resourceVersion ${version}, and returns it (reference 3.1)`, async () => {
      const metadata = { name: 'rv-dry', resourceVersion: version }
      const made = await server().admin.post(`${users}?dryRun=All`, { metadata })
      expect(made.status).to.equal(201)
      expect(made.field('metadata', 'resourceVersion')).to.equal(version)
      const exists = { metadata: { ...metadata, name: 'admin' } }
      expect((await server().admin.post(`${users}?dryRun=All`, exists)).status).to.equal(409)
    })
  }

  it('an update and an apply that create accept any resourceVersion (reference 3.1)', async () => {
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
    const lease = (name: string) => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, resourceVersion: '5' },
    })
    const { admin } = server()
    const dry = await admin.put(`${path}/rv-put?dryRun=All`, lease('rv-put'))
    expect([dry.status, dry.field('metadata', 'resourceVersion')]).to.deep.equal([201, '5'])
    const put = await admin.put(`${path}/rv-put`, lease('rv-put'))
    expect([put.status, put.field('metadata', 'resourceVersion') === '5']).to.deep.equal([
      201,
      false,
    ])
    const applied = await admin.patch(
      `${path}/rv-apply?fieldManager=m`,
      'apply-patch+yaml',
      lease('rv-apply'),
    )
    expect(applied.status).to.equal(201)
  })

  it('system metadata of the body is dropped, other metadata kept (reference 3.1)', async () => {
    const answer = await server().admin.post(users, {
      metadata: {
        name: 'wiped',
        uid: 'mine',
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 5,
        selfLink: '/x',
        generation: 7,
        labels: { a: 'b' },
        finalizers: ['x.dev/y'],
      },
    })
    expect(answer.status).to.equal(201)
    const { uid, creationTimestamp, resourceVersion, ...metadata } = answer.field(
      'metadata',
    ) as Record<string, string>
    expect([uid === 'mine', creationTimestamp?.startsWith('2001')]).to.deep.equal([false, false])
    expect(Number(resourceVersion)).to.be.greaterThan(0)
    delete metadata['managedFields']
    expect(metadata).to.deep.equal({
      name: 'wiped',
      generation: 1,
      labels: { a: 'b' },
      finalizers: ['x.dev/y'],
    })
  })

  it('repeated owners are dropped with a warning (reference 1.8)', async () => {
    const owner = { apiVersion: 'v1', kind: 'Namespace', name: 'default', uid: 'u-1' }
    const other = { ...owner, name: 'other' }
    const answer = await server().admin.post(`${users}?dryRun=All`, {
      metadata: { name: 'owned', ownerReferences: [owner, other, { ...owner }] },
    })
    expect(answer.all('warning')).to.deep.equal([
      '299 - ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u-1"',
    ])
    expect(answer.field('metadata', 'ownerReferences')).to.deep.equal([owner, other])
  })
})
