import { expect } from 'chai'
import { management, namespaces, secrets, users, useTestServer } from '../support/testServer.ts'
import { badRequest, failure, invalidOptions } from '../support/status.ts'

const group = 'management.platform'
const user = (name: string) => ({ name, group, kind: 'users' })
const tooLarge = (asked: number, current: number) =>
  failure(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })

describe('the status of an error', () => {
  const server = useTestServer()
  const forbiddenMatch = (message: string, field = 'resourceVersionMatch') => ({
    reason: 'FieldValueForbidden',
    message: `Forbidden: ${message}`,
    field,
  })

  it('404 for a missing object, for any verb (reference 2.3, spec error.404, error.body)', async () => {
    const want = failure(404, 'NotFound', `users.${group} "a" not found`, user('a'))
    const { admin } = server()
    const answers = [
      await admin.get(`${users}/a`),
      await admin.delete(`${users}/a`),
      await admin.patch(`${users}/a`, 'merge-patch+json', {}),
      await admin.patch(`${users}/a`, 'json-patch+json', []),
    ]
    for (const { status, json } of answers) expect([status, json]).to.deep.equal([404, want])
    const core = await admin.get(`${namespaces}/a`)
    expect([core.status, core.json]).to.deep.equal([
      404,
      failure(404, 'NotFound', 'namespaces "a" not found', { name: 'a', kind: 'namespaces' }),
    ])
  })

  it('404 for the missing namespace of a new object (reference 2.3)', async () => {
    const answer = await server().admin.post(`${management}/namespaces/none/sharedsecrets`, {
      metadata: { name: 'a' },
    })
    expect([answer.status, answer.json]).to.deep.equal([
      404,
      failure(404, 'NotFound', 'namespaces "none" not found', { name: 'none', kind: 'namespaces' }),
    ])
  })

  it('409 for an existing name, and after exhausted generated names (reference 2.3, spec error.409, error.body)', async () => {
    const answer = await server().admin.post(users, { metadata: { name: 'admin' } })
    const message = `users.${group} "admin" already exists`
    expect([answer.status, answer.json]).to.deep.equal([
      409,
      failure(409, 'AlreadyExists', message, user('admin')),
    ])
    const both = await server().admin.post(users, {
      metadata: { name: 'admin', generateName: 'ad' },
    })
    expect([both.status, both.headers['retry-after'], both.json]).to.deep.equal([
      409,
      '1',
      failure(
        409,
        'AlreadyExists',
        `${message}, the server was not able to generate a unique name for the object`,
        { ...user('admin'), retryAfterSeconds: 1 },
      ),
    ])
  })

  it('409 for a stale resourceVersion and for another UID (reference 2.3)', async () => {
    const { admin } = server()
    const stale = await admin.put(`${users}/admin`, {
      metadata: { name: 'admin', resourceVersion: '1' },
    })
    const prefix = `Operation cannot be fulfilled on users.${group} "admin": `
    expect([stale.status, stale.json]).to.deep.equal([
      409,
      failure(
        409,
        'Conflict',
        `${prefix}the object has been modified; please apply your changes to the latest version and try again`,
        user('admin'),
      ),
    ])
    const uid = (await admin.get(`${users}/admin`)).field('metadata', 'uid')
    const other = await admin.put(`${users}/admin`, { metadata: { name: 'admin', uid: 'other' } })
    expect([other.status, other.field('reason')]).to.deep.equal([409, 'Conflict'])
    expect(other.field('message')).to.match(
      new RegExp(
        `^Operation cannot be fulfilled on users\\.management\\.platform "admin": StorageError: invalid object, Code: 4, Key: .*, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ${String(uid)}$`,
      ),
    )
  })

  it('500 for a resourceVersion of a PUT that is not a number (reference 3.3)', async () => {
    const answer = await server().admin.put(`${users}/admin`, {
      metadata: { name: 'admin', resourceVersion: 'abc' },
    })
    expect([answer.status, answer.json]).to.deep.equal([
      500,
      failure(500, '', 'strconv.ParseUint: parsing "abc": invalid syntax'),
    ])
  })

  it('422 with one cause, and with several in brackets (reference 2.3, spec error.body)', async () => {
    const one = await server().admin.post(users, {
      metadata: { name: 'a' },
      spec: { access: [{ verbs: [''] }] },
    })
    const cause = {
      reason: 'FieldValueRequired',
      message: 'Required value',
      field: 'spec.access[0].verbs[0]',
    }
    expect([one.status, one.json]).to.deep.equal([
      422,
      failure(
        422,
        'Invalid',
        `User.${group} "a" is invalid: spec.access[0].verbs[0]: Required value`,
        { name: 'a', group, kind: 'User', causes: [cause] },
      ),
    ])
    const nameless = await server().admin.post(users, {})
    expect([nameless.status, nameless.json]).to.deep.equal([
      422,
      failure(
        422,
        'Invalid',
        `User.${group} "" is invalid: metadata.name: Required value: name or generateName is required`,
        {
          group,
          kind: 'User',
          causes: [
            {
              reason: 'FieldValueRequired',
              message: 'Required value: name or generateName is required',
              field: 'metadata.name',
            },
          ],
        },
      ),
    ])
    const two = await server().admin.post(users, {
      metadata: { name: 'a', labels: { 'b c': 'd e' } },
    })
    expect(two.field('message')).to.match(
      / is invalid: \[metadata\.labels: .+, metadata\.labels: .+\]$/,
    )
  })

  const names = [
    [
      'POST',
      secrets,
      { metadata: { name: 'a', namespace: 'other' } },
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'PUT',
      `${secrets}/a`,
      { metadata: { name: 'a', namespace: 'other' } },
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'PUT',
      `${users}/admin`,
      { metadata: { name: 'b' } },
      'the name of the object (b) does not match the name on the URL (admin)',
    ],
    [
      'PUT',
      `${users}/admin`,
      { metadata: {} },
      'the name of the object (admin based on URL) was undeterminable: name must be provided',
    ],
    [
      'PUT',
      `${users}/admin`,
      {},
      'the name of the object (admin based on URL) was undeterminable: name must be provided',
    ],
  ] as const
  for (const [method, path, body, message] of names) {
    it(`${method} ${JSON.stringify(body)}: ${message} (reference 1.16)`, async () => {
      const answer = await server().admin.call(path, { method, body })
      expect([answer.status, answer.json]).to.deep.equal([400, badRequest(message)])
    })
  }

  const listOptions = [
    [
      'resourceVersionMatch=Exact',
      [forbiddenMatch('resourceVersionMatch is forbidden unless resourceVersion is provided')],
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=0',
      [forbiddenMatch('resourceVersionMatch "exact" is forbidden for resourceVersion "0"')],
    ],
    [
      'resourceVersionMatch=x&resourceVersion=1',
      [
        {
          reason: 'FieldValueNotSupported',
          message: 'Unsupported value: "x": supported values: "Exact", "NotOlderThan", ""',
          field: 'resourceVersionMatch',
        },
      ],
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=1&continue=x',
      [forbiddenMatch('resourceVersionMatch is forbidden when continue is provided')],
    ],
    [
      'sendInitialEvents=true',
      [forbiddenMatch('sendInitialEvents is forbidden for list', 'sendInitialEvents')],
    ],
    [
      'watch=1&resourceVersionMatch=NotOlderThan',
      [
        forbiddenMatch(
          'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
        ),
      ],
    ],
    [
      'watch=1&sendInitialEvents=true',
      [forbiddenMatch('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')],
    ],
    [
      'watch=1&sendInitialEvents=true&resourceVersionMatch=x',
      [
        forbiddenMatch('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
        {
          reason: 'FieldValueNotSupported',
          message: 'Unsupported value: "x": supported values: "NotOlderThan"',
          field: 'resourceVersionMatch',
        },
      ],
    ],
  ] as const
  for (const [query, causes] of listOptions) {
    it(`?${query} is 422 (reference 4.1)`, async () => {
      const answer = await server().admin.get(`${users}?${query}`)
      expect([answer.status, answer.json]).to.deep.equal([
        422,
        invalidOptions('ListOptions', causes),
      ])
    })
  }

  const unreadable = [
    ['limit=abc', 'strconv.ParseInt: parsing "abc": invalid syntax'],
    [
      'limit=99999999999999999999',
      'strconv.ParseInt: parsing "99999999999999999999": value out of range',
    ],
    ['timeoutSeconds=1.5', 'strconv.ParseInt: parsing "1.5": invalid syntax'],
    [
      'resourceVersion=abc',
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    [
      'resourceVersion=-1',
      'invalid resource version: resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
    ],
    [
      'fieldSelector=spec.email%3Dx',
      '"spec.email" is not a known field selector: only "metadata.name", "metadata.namespace", "spec.username", "spec.subject"',
    ],
    ['fieldSelector=x', "invalid selector: 'x'; can't understand 'x'"],
  ] as const
  for (const [query, message] of unreadable) {
    it(`?${query} is 400 (reference 1.15, 4.3)`, async () => {
      const answer = await server().admin.get(`${users}?${query}`)
      expect([answer.status, answer.json]).to.deep.equal([400, badRequest(message)])
    })
  }

  it('an invalid continue token is 400 (reference 4.4)', async () => {
    const answer = await server().admin.get(`${users}?continue=x`)
    expect([answer.status, answer.field('reason')]).to.deep.equal([400, 'BadRequest'])
    expect(answer.field('message')).to.match(/^invalid continue token: continue key is not valid: /)
  })

  it('a resourceVersion that is not a number is 500 on a get and a watch (reference 4.3)', async () => {
    const message =
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax'
    for (const path of [`${users}/admin?`, `${users}?watch=1&`]) {
      const answer = await server().admin.get(`${path}resourceVersion=abc`)
      expect([answer.status, answer.json]).to.deep.equal([500, failure(500, '', message)])
    }
  })

  it('a revision above the newest is 504 after a wait, with Retry-After (reference 2.3, 4.6)', async () => {
    const { admin } = server()
    const current = Number((await admin.get(users)).field('metadata', 'resourceVersion'))
    const answers = await Promise.all([
      admin.get(`${users}?resourceVersion=99999`),
      admin.get(`${users}/admin?resourceVersion=99999`),
    ])
    for (const answer of answers) {
      // Objects that the server creates at its start may still raise the revision.
      const newest = Number(/current: (\d+)$/.exec(String(answer.field('message')))?.[1])
      expect(newest).to.be.at.least(current)
      expect([answer.status, answer.headers['retry-after'], answer.json]).to.deep.equal([
        504,
        '1',
        tooLarge(99999, newest),
      ])
    }
  })

  it('limit=-1 lists normally, and unknown parameters are ignored (reference 4.1)', async () => {
    const { admin } = server()
    const list = await admin.get(users)
    const same = await admin.get(`${users}?limit=-1&nothing=1&pretty=&watch=false&watch=true`)
    expect([same.status, same.text]).to.deep.equal([200, list.text])
  })
})
