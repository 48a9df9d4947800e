import { expect } from 'chai'
import { useTestServer } from '../support/testServer.ts'

interface Entry {
  manager: string
  operation: string
  apiVersion: string
  fieldsV1: unknown
  subresource?: string
}

describe('objects that are not stored', () => {
  const server = useTestServer()
  const headers = { 'user-agent': 'reviewer/1.0' }
  const names = (...fields: string[]) => Object.fromEntries(fields.map((name) => [`f:${name}`, {}]))

  /** Managed fields of a response without their times. */
  async function entries(path: string, body: object): Promise<Omit<Entry, 'time'>[]> {
    const answer = await server().admin.with(headers).post(path, body)
    expect(answer.status).to.equal(201)
    // managedFields consist of such entries.
    const found = (answer.field('metadata', 'managedFields') ?? []) as (Entry & { time?: string })[]
    return found.map(({ time, ...entry }) => {
      expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      return entry
    })
  }

  const entry = (group: string, fields: object, subresource?: string) => ({
    manager: 'reviewer',
    operation: 'Update',
    apiVersion: `${group}/v1`,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': fields },
    ...(subresource === undefined ? {} : { subresource }),
  })
  const authorization = 'authorization.k8s.io'
  const authentication = 'authentication.k8s.io'
  const attributes = { verb: 'get', resource: 'users' }
  const attributeNames = { 'f:resourceAttributes': { '.': {}, ...names('resource', 'verb') } }

  const cases: [string, string, object, object[]][] = [
    [
      'SelfSubjectAccessReview',
      `/apis/${authorization}/v1/selfsubjectaccessreviews`,
      { spec: { resourceAttributes: attributes } },
      [entry(authorization, attributeNames)],
    ],
    [
      'SubjectAccessReview',
      `/apis/${authorization}/v1/subjectaccessreviews`,
      { spec: { resourceAttributes: attributes, user: 'admin' } },
      [entry(authorization, { ...attributeNames, ...names('user') })],
    ],
    [
      'LocalSubjectAccessReview',
      `/apis/${authorization}/v1/namespaces/default/localsubjectaccessreviews`,
      { spec: { resourceAttributes: { ...attributes, namespace: 'default' }, user: 'admin' } },
      [
        entry(authorization, {
          'f:resourceAttributes': { '.': {}, ...names('namespace', 'resource', 'verb') },
          ...names('user'),
        }),
      ],
    ],
    [
      'TokenReview',
      `/apis/${authentication}/v1/tokenreviews`,
      { spec: { token: 'x' } },
      [entry(authentication, names('token'))],
    ],
    ['SelfSubjectReview', `/apis/${authentication}/v1/selfsubjectreviews`, {}, []],
    [
      'SelfSubjectRulesReview',
      `/apis/${authorization}/v1/selfsubjectrulesreviews`,
      { spec: { namespace: 'default' } },
      [],
    ],
  ]
  for (const [kind, path, body, want] of cases) {
    it(`a created ${kind} is returned with managed fields (reference 3.1, 7.9)`, async () => {
      expect(await entries(path, body)).to.deep.equal(want)
    })
  }

  it("a TokenRequest has the subresource's managed fields and default (reference 3.1, 3.11)", async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts'
    await server().admin.post(accounts, { metadata: { name: 'asker' } })
    expect(await entries(`${accounts}/asker/token`, {})).to.deep.equal([
      entry(authentication, names('expirationSeconds'), 'token'),
    ])
  })
})
