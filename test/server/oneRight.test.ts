import { expect } from 'chai'
import { HttpClient } from '../endpoints/support/httpClient.ts'
import { management, openBob, useTestServer } from '../endpoints/support/testServer.ts'
import { grant as grantTo } from './planes/planeServer.ts'

const admission = '/apis/admissionregistration.k8s.io/v1'
const config = `${management}/configs/config`

interface Rule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
  resourceNames?: string[]
}

/** Ways from one right to more, each of which was once open. */
describe('a caller with one right', () => {
  const server = useTestServer()
  let admin: HttpClient
  let bob: HttpClient

  before(async () => {
    ;({ admin } = server())
    bob = await openBob(server())
    await admin.post('/api/v1/namespaces/default/secrets', {
      metadata: { name: 'hidden' },
      stringData: { k: 'TOPSECRET' },
    })
  })

  const grant = (rule: Rule) => grantTo(admin, 'bob', [rule])
  const mergePatch = (path: string, body: object) => bob.patch(path, 'merge-patch+json', body)
  const setConfig = (text: string) =>
    admin.patch(config, 'merge-patch+json', { spec: { raw: Buffer.from(text).toString('base64') } })

  it('is not taken for a superuser because of a line feed in a group', async () => {
    await grant({
      apiGroups: ['management.platform'],
      resources: ['users'],
      verbs: ['get', 'update', 'patch'],
      resourceNames: ['bob'],
    })
    await grant({
      apiGroups: ['authorization.k8s.io'],
      resources: ['subjectaccessreviews'],
      verbs: ['create'],
    })
    const own = ['system:authenticated', 'platform:authenticated']
    const groups = ['x', 'system:masters', ...own, 'platform:user:*', 'platform:user:bob']
    const resourceAttributes = { verb: 'get', resource: 'pods' }
    const asked = await bob.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      spec: { user: 'bob', groups, resourceAttributes },
    })
    expect(asked.field('status', 'allowed')).to.equal(true)
    await mergePatch(`${management}/users/bob`, { spec: { groups: ['x\nsystem:masters'] } })
    expect((await bob.get('/api/v1/secrets')).status).to.equal(403)
    expect((await bob.get('/metrics')).status).to.equal(403)
    await mergePatch(`${management}/users/bob`, { spec: { groups: [] } })
  })

  describe('with policies', () => {
    const matchConstraints = {
      resourceRules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
      ],
    }
    const paramKind = { apiVersion: 'v1', kind: 'Secret' }
    const paramRef = { name: 'hidden', namespace: 'default', parameterNotFoundAction: 'Deny' }
    const validating = {
      ...{ paramKind, matchConstraints },
      validations: [{ expression: 'false' }],
    }
    const mutating = {
      ...{ paramKind, matchConstraints, reinvocationPolicy: 'Never' },
      mutations: [
        { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } },
      ],
    }

    before(() =>
      grant({
        apiGroups: ['admissionregistration.k8s.io'],
        resources: ['*'],
        verbs: ['create', 'update', 'patch', 'get'],
      }),
    )

    for (const [kind, spec, bound] of [
      ['validatingadmissionpolic', validating, { validationActions: ['Deny'] }],
      ['mutatingadmissionpolic', mutating, {}],
    ] as const) {
      it(`reads no secret as the parameter of a ${kind}y`, async () => {
        const policies = `${admission}/${kind}ies`
        const policy = { metadata: { name: 'own' }, spec }
        const refused = await bob.post(policies, policy)
        expect([refused.status, refused.field('details', 'causes', 0, 'field')]).to.deep.equal([
          422,
          'spec.paramKind',
        ])
        const { paramKind: _, ...without } = spec
        expect((await bob.post(policies, { ...policy, spec: without })).status).to.equal(201)
        const later = await mergePatch(`${policies}/own`, { spec: { paramKind } })
        expect(later.status).to.equal(422)
        await admin.patch(`${policies}/own`, 'merge-patch+json', { spec: { paramKind } })
        const binding = { policyName: 'own', paramRef, ...bound }
        const unbound = await bob.post(`${admission}/${kind}ybindings`, {
          metadata: { name: 'own' },
          spec: binding,
        })
        expect([unbound.status, unbound.field('details', 'causes', 0, 'field')]).to.deep.equal([
          422,
          'spec.paramRef',
        ])
        await admin.call(`${policies}/own`, { method: 'DELETE' })
      })
    }
  })

  describe('on the configuration', () => {
    const text = 'auth:\n  oidc:\n    issuerUrl: https://idp.test\n    clientSecret: TOPSECRET\n'

    before(async () => {
      await grant({
        apiGroups: ['management.platform'],
        resources: ['configs'],
        verbs: ['get', 'update', 'patch'],
      })
      const raw = Buffer.from(text).toString('base64')
      const applied = JSON.stringify({ spec: { raw } })
      await admin.patch(config, 'merge-patch+json', {
        metadata: {
          annotations: { 'kubectl.kubernetes.io/last-applied-configuration': applied },
        },
        spec: { raw },
      })
    })

    for (const query of ['', '?dryRun=All']) {
      it(`sees no secret in the answer to its write${query}`, async () => {
        const applied = { kind: 'Config', apiVersion: 'management.platform/v1' }
        const metadata = { name: 'config', labels: { a: 'b' } }
        for (const answer of [
          await mergePatch(`${config}${query}`, {}),
          await bob.put(`${config}${query}`, (await bob.get(config)).json as object),
          await bob.patch(
            `${config}${query === '' ? '?' : `${query}&`}fieldManager=m`,
            'apply-patch+yaml',
            { ...applied, metadata },
          ),
        ]) {
          expect(answer.status, answer.text).to.equal(200)
          expect(answer.text).not.to.include(Buffer.from(text).toString('base64'))
          const { raw } = (answer.json as { spec: { raw: string } }).spec
          expect(Buffer.from(raw, 'base64').toString()).not.to.include('TOPSECRET')
        }
      })
    }

    it('shows no variable of the environment through a placeholder', async () => {
      await setConfig('auth: {}\n')
      for (const place of [
        'uiSettings: {navBarButtons: [{text: $PATH, link: https://a.test}]}\n',
        'platformHost: ${PATH}\n',
      ]) {
        const raw = Buffer.from(place).toString('base64')
        const answer = await mergePatch(`${config}?dryRun=All`, { spec: { raw } })
        expect(answer.status, answer.text).to.equal(422)
        expect(answer.text).not.to.include(String(process.env['PATH']))
      }
    })
  })

  it('impersonates nobody on login and console paths', async () => {
    const { insecureUrl = '' } = server().running
    const anonymous = new HttpClient(insecureUrl)
    for (const path of ['/auth/ui-settings', '/console/']) {
      const headers = { 'impersonate-user': 'x', 'impersonate-group': 'system:masters' }
      expect([401, 403], path).to.include((await anonymous.get(path, headers)).status)
    }
  })
})
