import { expect } from 'chai'
import { management, secrets, users, useTestServer } from '../support/testServer.ts'
import { badRequest, failure, invalidOptions } from '../support/status.ts'

const details = (name: string, uid: unknown) => ({
  name,
  group: 'management.platform',
  kind: 'users',
  uid,
})

describe('DELETE', () => {
  const server = useTestServer()
  const made = async (name: string, finalizers: string[] = []) => {
    const answer = await server().admin.post(users, { metadata: { name, finalizers } })
    return answer.field('metadata', 'uid')
  }

  before(() => made('target'))

  const bodies = [
    ['no body', undefined, undefined],
    ['JSON', '{"propagationPolicy":"Background"}', 'application/json'],
    [
      'core/v1',
      '{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0}',
      'application/json',
    ],
    [
      'meta/v1',
      '{"kind":"DeleteOptions","apiVersion":"meta.k8s.io/v1","orphanDependents":null}',
      undefined,
    ],
    [
      'the group of the resource',
      '{"kind":"DeleteOptions","apiVersion":"management.platform/v1"}',
      undefined,
    ],
    ['YAML', 'kind: DeleteOptions\napiVersion: v1\n', 'application/yaml'],
    ['an empty object', '{}', undefined],
  ] as const
  bodies.forEach(([what, body, type], index) => {
    it(`with ${what}: 200 and the status of a success (reference 3.5)`, async () => {
      const name = `body-${index}`
      const uid = await made(name)
      const answer = await server().admin.call(`${users}/${name}`, {
        method: 'DELETE',
        ...(body === undefined ? {} : { body }),
        headers: type === undefined ? {} : { 'content-type': type },
      })
      expect([answer.status, answer.json]).to.deep.equal([
        200,
        {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Success',
          details: details(name, uid),
        },
      ])
    })
  })

  const refusedBodies = [
    [
      '{"kind":"Foo","apiVersion":"v1"}',
      'no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      '{"kind":"User"}',
      'no kind "User" is registered for version "meta.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      '{"kind":"CreateOptions","apiVersion":"v1"}',
      'converting (v1.CreateOptions) to (v1.DeleteOptions): unknown conversion',
    ],
    [
      '{"kind":"Table","apiVersion":"meta.k8s.io/v1"}',
      'converting (v1.Table) to (v1.DeleteOptions): unknown conversion',
    ],
    ['{"apiVersion":"a/b/c"}', 'unexpected GroupVersion string: a/b/c'],
    [
      '{"preconditions":{"uid":5}}',
      'json: cannot unmarshal number into Go struct field Preconditions.preconditions.uid of type types.UID',
    ],
    [
      '{"gracePeriodSeconds":1.5}',
      'json: cannot unmarshal number 1.5 into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
    [
      '{"dryRun":[true]}',
      'json: cannot unmarshal bool into Go struct field DeleteOptions.dryRun of type string',
    ],
    [
      '[]',
      `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    ],
  ] as const
  for (const [body, message] of refusedBodies) {
    it(`body ${body} is 400 (reference 3.5)`, async () => {
      const answer = await server().admin.delete(`${users}/target`, body)
      expect([answer.status, answer.json]).to.deep.equal([400, badRequest(message)])
    })
  }

  const malformed = [
    '{',
    'kind: DeleteOptions',
    '{"gracePeriodSeconds":"5"}',
    '{"gracePeriodSeconds":1.5}',
    '{"dryRun":"All"}',
    '{"preconditions":[]}',
    '{"preconditions":{"uid":5}}',
    '{"orphanDependents":"true"}',
    '{"propagationPolicy":7}',
  ]
  for (const body of malformed) {
    it(`body ${body} is 400 (reference 3.5)`, async () => {
      const answer = await server().admin.delete(`${users}/target`, body)
      expect([answer.status, answer.field('reason')], answer.text).to.deep.equal([
        400,
        'BadRequest',
      ])
    })
  }

  it('a body in an unknown format is 415 (reference 3.5)', async () => {
    const answer = await server().admin.call(`${users}/target`, {
      method: 'DELETE',
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    })
    expect([answer.status, answer.field('reason')]).to.deep.equal([415, 'UnsupportedMediaType'])
  })

  const bothSet = {
    reason: 'FieldValueInvalid',
    message: 'Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    field: 'propagationPolicy',
  }
  const badPolicy = {
    reason: 'FieldValueNotSupported',
    message:
      'Unsupported value: "x": supported values: "Foreground", "Background", "Orphan", "nil"',
    field: 'propagationPolicy',
  }
  const emptyPolicy = { ...badPolicy, message: badPolicy.message.replace('"x"', '""') }
  const badDryRun = {
    reason: 'FieldValueNotSupported',
    message: 'Unsupported value: ["x"]: supported values: "All"',
    field: 'dryRun',
  }
  const invalid = [
    ['?propagationPolicy=x', undefined, badPolicy],
    ['?propagationPolicy=Orphan&orphanDependents=true', undefined, bothSet],
    ['?dryRun=x', undefined, badDryRun],
    ['', '{"propagationPolicy":"x"}', badPolicy],
    ['', '{"propagationPolicy":""}', emptyPolicy],
    ['?propagationPolicy=', undefined, emptyPolicy],
    ['', '{"propagationPolicy":"Orphan","orphanDependents":false}', bothSet],
    ['', '{"dryRun":["x"]}', badDryRun],
  ] as const
  for (const [query, body, cause] of invalid) {
    for (const path of [`${users}/target`, `${users}/nobody`, `${users}`]) {
      it(`${path.slice(29)}${query} ${body ?? ''} is 422 (reference 1.15)`, async () => {
        const url = `${path}${query}`
        const selected =
          path === users ? `${url}${query === '' ? '?' : '&'}labelSelector=none` : url
        const answer = await server().admin.delete(selected, body)
        expect([answer.status, answer.json]).to.deep.equal([
          422,
          invalidOptions('DeleteOptions', [cause]),
        ])
      })
    }
  }

  for (const text of ['abc', '']) {
    it(`gracePeriodSeconds=${text} cannot be read: 400 (reference 1.15)`, async () => {
      const answer = await server().admin.delete(`${users}/target?gracePeriodSeconds=${text}`)
      const message = `strconv.ParseInt: parsing "${text}": invalid syntax`
      expect([answer.status, answer.json]).to.deep.equal([400, badRequest(message)])
    })
  }

  it('a missing object is 404 (reference 2.2)', async () => {
    const answer = await server().admin.delete(`${users}/nobody`)
    const { uid: _, ...rest } = details('nobody', '')
    expect([answer.status, answer.json]).to.deep.equal([
      404,
      failure(404, 'NotFound', 'users.management.platform "nobody" not found', rest),
    ])
  })

  it('failed preconditions are 409, naming the kind (reference 3.5)', async () => {
    const uid = await made('guarded')
    const version = (await server().admin.get(`${users}/guarded`)).field(
      'metadata',
      'resourceVersion',
    )
    const refusals = [
      [
        { uid: 'other' },
        `the UID in the precondition (other) does not match the UID in record (${String(uid)}). The object might have been deleted and then recreated`,
      ],
      [
        { resourceVersion: '1' },
        `the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${String(version)}). The object might have been modified`,
      ],
    ] as const
    for (const [preconditions, why] of refusals) {
      const answer = await server().admin.delete(`${users}/guarded`, { preconditions })
      const message = `Operation cannot be fulfilled on User.management.platform "guarded": ${why}`
      expect([answer.status, answer.json]).to.deep.equal([
        409,
        failure(409, 'Conflict', message, {
          name: 'guarded',
          group: 'management.platform',
          kind: 'User',
        }),
      ])
    }
    const gone = await server().admin.delete(`${users}/guarded`, {
      preconditions: { uid, resourceVersion: version },
    })
    expect(gone.status).to.equal(200)
  })

  it('the query may have preconditions too (reference 3.5)', async () => {
    const uid = await made('asked')
    const refused = await server().admin.delete(`${users}/asked?uid=other`)
    expect([refused.status, refused.field('details', 'kind')]).to.deep.equal([409, 'User'])
    const stale = await server().admin.delete(`${users}/asked?resourceVersion=1`)
    expect(stale.status).to.equal(409)
    const gone = await server().admin.delete(`${users}/asked?uid=${String(uid)}&resourceVersion=`)
    expect(gone.status).to.equal(200)
  })

  it('finalizers keep the object, marked; removing the last one deletes it (reference 3.5)', async () => {
    const { admin } = server()
    await made('held', ['x.dev/y'])
    const marked = await admin.delete(`${users}/held`)
    expect([marked.status, marked.field('kind')]).to.deep.equal([200, 'User'])
    expect(marked.field('metadata', 'deletionTimestamp')).to.match(/Z$/)
    expect(marked.field('metadata', 'generation')).to.equal(2)
    const again = await admin.delete(`${users}/held`)
    expect([again.status, again.text]).to.deep.equal([200, marked.text])
    const refused = await admin.patch(`${users}/held`, 'merge-patch+json', {
      metadata: { finalizers: ['x.dev/y', 'x.dev/z'] },
    })
    const cause = {
      reason: 'FieldValueForbidden',
      message:
        'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.dev/z"}',
      field: 'metadata.finalizers',
    }
    expect([refused.status, refused.field('details', 'causes')]).to.deep.equal([422, [cause]])
    const exists = await admin.post(users, { metadata: { name: 'held' } })
    expect([exists.status, exists.field('message')]).to.deep.equal([
      409,
      'object is being deleted: users.management.platform "held" already exists',
    ])
    const done = await admin.patch(`${users}/held`, 'merge-patch+json', {
      metadata: { finalizers: null },
    })
    expect([done.status, done.field('kind')]).to.deep.equal([200, 'User'])
    expect((await admin.get(`${users}/held`)).status).to.equal(404)
  })

  it('202 for an object that remains, if orphanDependents is false (reference 3.5)', async () => {
    await made('accepted', ['x.dev/y'])
    const answer = await server().admin.delete(`${users}/accepted?orphanDependents=false`)
    expect([answer.status, answer.field('kind')]).to.deep.equal([202, 'User'])
  })

  describe('of a collection', () => {
    const fill = async (): Promise<void> => {
      const { admin } = server()
      const labels = ['red', 'red', 'blue', 'blue', 'blue']
      const answers = await Promise.all(
        labels.map((color, index) =>
          admin.post(secrets, { metadata: { name: `s${index}`, labels: { color } } }),
        ),
      )
      expect(answers.map(({ status }) => status)).to.deep.equal(Array<number>(5).fill(201))
    }
    const names = async (): Promise<unknown[]> => namesOf(await server().admin.get(secrets))
    beforeEach(fill)
    afterEach(async () => {
      await server().admin.delete(secrets)
    })

    const cases = [
      ['?labelSelector=color%3Dred', ['s0', 's1'], ['s2', 's3', 's4']],
      ['?fieldSelector=metadata.name%3Ds3', ['s3'], ['s0', 's1', 's2', 's4']],
      ['?limit=2', ['s0', 's1'], ['s2', 's3', 's4']],
      ['?labelSelector=color%3Dblue&limit=1', ['s2'], ['s0', 's1', 's3', 's4']],
      ['?dryRun=All', ['s0', 's1', 's2', 's3', 's4'], ['s0', 's1', 's2', 's3', 's4']],
      ['?labelSelector=none', [], ['s0', 's1', 's2', 's3', 's4']],
      ['', ['s0', 's1', 's2', 's3', 's4'], []],
    ] as const
    for (const [query, gone, left] of cases) {
      it(`${query} returns the list before deletion, of ${gone.length} (reference 3.8)`, async () => {
        const answer = await server().admin.delete(`${secrets}${query}`)
        expect([answer.status, answer.field('kind')]).to.deep.equal([200, 'SharedSecretList'])
        expect(namesOf(answer)).to.deep.equal(gone)
        expect(await names()).to.deep.equal(left)
      })
    }

    it('unreadable selectors and versions are 400, and delete nothing (reference 3.8)', async () => {
      for (const query of ['labelSelector=a%3D%3D%3Db', 'fieldSelector=x', 'resourceVersion=abc']) {
        const answer = await server().admin.delete(`${secrets}?${query}`)
        expect([answer.status, answer.field('reason')]).to.deep.equal([400, 'BadRequest'])
      }
      expect(await names()).to.have.length(5)
    })

    it('an unavailable form is 406, and deletes nothing (reference 1.9)', async () => {
      const answer = await server().admin.call(secrets, {
        method: 'DELETE',
        headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
      })
      expect([answer.status, answer.field('reason')]).to.deep.equal([406, 'NotAcceptable'])
      expect(await names()).to.have.length(5)
    })

    it('is refused across namespaces, and for kinds without it: 405 (reference 6.3)', async () => {
      for (const path of ['sharedsecrets', 'ownedaccesskeys']) {
        const answer = await server().admin.delete(`${management}/${path}`)
        expect(answer.status).to.equal(405)
      }
    })
  })
})

function namesOf(list: { field: (name: string) => unknown }): unknown[] {
  // The items of a list are objects with a name.
  const items = list.field('items') as { metadata: { name: string } }[]
  return items.map(({ metadata }) => metadata.name)
}
