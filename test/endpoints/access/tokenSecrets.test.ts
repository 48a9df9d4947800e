import { valueAt } from '../../../apiserver/apis/columns.ts'
import { expect } from 'chai'
import { secretResource } from '../../../apiserver/apis/kubernetes/core/secret.ts'
import type { RequestContext } from '../../../apiserver/registry/strategy.ts'
import { clientContext } from '../../support/contexts.ts'
import { refusal } from '../../support/refusal.ts'
import { canonical, openStores } from '../../support/stores.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { clientOf, useTestServer } from '../support/testServer.ts'

const core = '/api/v1/namespaces/default'
const type = 'kubernetes.io/service-account-token'
const nameKey = 'kubernetes.io/service-account.name'
const uidKey = 'kubernetes.io/service-account.uid'

describe('service account token secrets', () => {
  const server = useTestServer()
  const path = (name: string) => `${core}/secrets/${name}`

  async function account(name: string): Promise<string> {
    const made = await server().admin.post(`${core}/serviceaccounts`, { metadata: { name } })
    return String(made.field('metadata', 'uid'))
  }

  const secret = (name: string, annotations: object, rest: object = {}) =>
    server().admin.post(`${core}/secrets`, { metadata: { name, annotations }, type, ...rest })

  const tokenIn = async (name: string): Promise<string> => {
    const held = (await server().admin.get(path(name))).field('data', 'token')
    return typeof held === 'string' ? Buffer.from(held, 'base64').toString() : ''
  }

  /** Creates a secret, and returns the token that the controller adds. */
  async function filled(name: string, of = name): Promise<string> {
    expect((await secret(name, { [nameKey]: of })).status).to.equal(201)
    await waitUntil(async () => (await tokenIn(name)) !== '')
    return tokenIn(name)
  }

  const whoHas = async (token: string): Promise<unknown> => {
    const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
    const answer = await clientOf(server().running, token).post(reviews, {})
    return answer.status === 201 ? answer.field('status', 'userInfo', 'username') : answer.status
  }

  it("are filled with a token, the namespace and the CA certificate, and get the account's uid", async () => {
    const uid = await account('filled')
    await filled('filled')
    const { admin } = server()
    const answer = await admin.get(path('filled'))
    const text = (key: string) =>
      Buffer.from(String(answer.field('data', key)), 'base64').toString()
    expect(text('namespace')).to.equal('default')
    const trusted = await admin.get(`${core}/configmaps/kube-root-ca.crt`)
    expect(text('ca.crt')).to.equal(trusted.field('data', 'ca.crt'))
    expect(answer.field('metadata', 'annotations')).to.deep.equal({
      [nameKey]: 'filled',
      [uidKey]: uid,
    })
  })

  it('give the rights of their account only', async () => {
    await account('acting')
    const token = await filled('acting')
    expect(await whoHas(token)).to.equal('system:serviceaccount:default:acting')
    const caller = clientOf(server().running, token)
    expect((await caller.get(`${core}/configmaps`)).status).to.equal(403)
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default'
    await server().admin.post(`${rbac}/roles`, {
      metadata: { name: 'read' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
    })
    await server().admin.post(`${rbac}/rolebindings`, {
      metadata: { name: 'read' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'read' },
      subjects: [{ kind: 'ServiceAccount', name: 'acting', namespace: 'default' }],
    })
    await waitUntil(async () => (await caller.get(`${core}/configmaps`)).status === 200)
    expect((await caller.get(`${core}/secrets`)).status).to.equal(403)
  })

  it('are deleted with their account, and their tokens with them', async () => {
    await account('going')
    const token = await filled('going')
    await server().admin.delete(`${core}/serviceaccounts/going`)
    expect(await whoHas(token)).to.equal(401)
    await waitUntil(async () => (await server().admin.get(path('going'))).status === 404)
  })

  it('of an account that was created again are deleted too', async () => {
    const uid = await account('anew')
    await server().admin.delete(`${core}/serviceaccounts/anew`)
    await account('anew')
    await secret('anew', { [nameKey]: 'anew', [uidKey]: uid })
    await waitUntil(async () => (await server().admin.get(path('anew'))).status === 404)
  })

  it('without an account are deleted', async () => {
    await secret('nobody', { [nameKey]: 'nobody' })
    await waitUntil(async () => (await server().admin.get(path('nobody'))).status === 404)
  })

  it('invalidate their tokens when deleted', async () => {
    await account('ended')
    const token = await filled('ended')
    await server().admin.delete(path('ended'))
    expect(await whoHas(token)).to.equal(401)
  })

  it('get a new token when theirs is removed, which invalidates the old one', async () => {
    await account('renewed')
    const first = await filled('renewed')
    await server().admin.patch(path('renewed'), 'merge-patch+json', { data: { token: null } })
    await waitUntil(async () => !['', first].includes(await tokenIn('renewed')))
    expect(await whoHas(first)).to.equal(401)
    expect(await whoHas(await tokenIn('renewed'))).to.equal('system:serviceaccount:default:renewed')
  })

  it('keep their other data, and a token set by a user', async () => {
    await account('given')
    const token = Buffer.from('mine').toString('base64')
    await secret('given', { [nameKey]: 'given' }, { data: { token, extra: token } })
    await waitUntil(
      async () =>
        (await server().admin.get(path('given'))).field('data', 'namespace') !== undefined,
    )
    const answer = await server().admin.get(path('given'))
    expect([answer.field('data', 'token'), answer.field('data', 'extra')]).to.deep.equal([
      token,
      token,
    ])
    expect(await whoHas('mine')).to.equal(401)
  })

  it('of other types are unchanged', async () => {
    await account('other')
    await secret('other', { [nameKey]: 'other' }, { type: 'Opaque' })
    await filled('other-token', 'other')
    expect((await server().admin.get(path('other'))).field('data')).to.equal(undefined)
  })

  it('without an account name are refused', async () => {
    const answer = await secret('unnamed', {})
    expect([answer.status, answer.field('details', 'causes', 0, 'field')]).to.deep.equal([
      422,
      `metadata.annotations[${nameKey}]`,
    ])
  })

  it('cannot be created or changed by credentials with a restricted scope', async () => {
    const stores = await openStores()
    try {
      const store = stores.storeOf(secretResource)
      const user = { ...clientContext().user, credential: { scope: {} } }
      const restricted: RequestContext = { ...clientContext(), user }
      const of = (account: string) =>
        canonical(
          {
            kind: 'Secret',
            apiVersion: 'v1',
            metadata: { name: 's', namespace: 'default', annotations: { [nameKey]: account } },
            type,
          },
          secretResource,
        )
      expect((await refusal(store.create(of('a'), restricted))).code).to.equal(403)
      await store.create(of('a'), clientContext())
      const target = { namespace: 'default', name: 's' }
      const turned = store.update(target, { transform: () => of('b') }, restricted)
      expect((await refusal(turned)).code).to.equal(403)
      const labels = { a: 'b' }
      await store.update(
        target,
        { transform: (old) => ({ ...old, metadata: { ...old.metadata, labels } }) },
        restricted,
      )
    } finally {
      await stores.close()
    }
  })
})

describe('system priority classes', () => {
  const server = useTestServer()
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses'
  const known: [name: string, value: number][] = [
    ['system-cluster-critical', 2_000_000_000],
    ['system-node-critical', 2_000_001_000],
  ]

  before(() =>
    waitUntil(async () => {
      const { status } = await server().admin.get(`${classes}/system-node-critical`)
      return status === 200
    }),
  )

  for (const [name, value] of known) {
    it(`${name} exists, cannot be deleted or get another value, and may get another description`, async () => {
      const { admin } = server()
      const found = await admin.get(`${classes}/${name}`)
      expect([found.field('value'), found.field('preemptionPolicy')]).to.deep.equal([
        value,
        'PreemptLowerPriority',
      ])
      const deletion = await admin.delete(`${classes}/${name}`)
      expect([deletion.status, deletion.field('message')]).to.deep.equal([
        403,
        `priorityclasses.scheduling.k8s.io "${name}" is forbidden: this is a system priority class and cannot be deleted`,
      ])
      const patch = (content: object) =>
        admin.patch(`${classes}/${name}`, 'merge-patch+json', content)
      expect((await patch({ value: 5 })).status).to.equal(422)
      expect((await patch({ preemptionPolicy: 'Never' })).status).to.equal(422)
      expect((await patch({ description: 'x' })).status).to.equal(200)
    })
  }

  const reserved =
    "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: "
  for (const { name, content, why } of [
    {
      name: 'system-other',
      content: { value: 1 },
      why: 'system-other is not a known system priority class',
    },
    {
      name: 'system-node-critical',
      content: { value: 1 },
      why: 'value of system-node-critical PriorityClass must be 2000001000',
    },
    {
      name: 'system-node-critical',
      content: { value: 2_000_001_000, globalDefault: true },
      why: 'globalDefault of system-node-critical PriorityClass must be false',
    },
  ]) {
    it(`a class is refused: ${why}`, async () => {
      const answer = await server().admin.post(classes, { metadata: { name }, ...content })
      expect([answer.status, answer.field('message')]).to.deep.equal([
        422,
        `PriorityClass.scheduling.k8s.io "${name}" is invalid: ${reserved}${why}`,
      ])
    })
  }
})

/** Source: seen on kube-apiserver 1.37.2. */
describe('cluster-scoped objects created at start', () => {
  const server = useTestServer()
  const flowcontrol = '/apis/flowcontrol.apiserver.k8s.io/v1'
  const cases: [path: string, column: string, value: unknown][] = [
    [`${flowcontrol}/prioritylevelconfigurations/exempt`, 'spec.type', 'Exempt'],
    [`${flowcontrol}/prioritylevelconfigurations/workload-low`, 'spec.limited.lendablePercent', 90],
    [`${flowcontrol}/flowschemas/catch-all`, 'status.conditions.0.status', 'False'],
    [`${flowcontrol}/flowschemas/probes`, 'spec.matchingPrecedence', 2],
    ['/apis/networking.k8s.io/v1/servicecidrs/kubernetes', 'status.conditions.0.type', 'Ready'],
  ]

  for (const [path, field, value] of cases) {
    it(`${path} has ${field} ${String(value)}`, async () => {
      await waitUntil(async () => {
        const found = await server().admin.get(path)
        return (
          found.status === 200 &&
          valueAt({ spec: found.field('spec'), status: found.field('status') }, field) === value
        )
      })
    })
  }

  it('a mandatory flow schema keeps its spec: 422', async () => {
    const path = `${flowcontrol}/flowschemas/exempt`
    await waitUntil(async () => (await server().admin.get(path)).status === 200)
    const patch = { spec: { matchingPrecedence: 5 } }
    const refused = await server().admin.patch(path, 'merge-patch+json', patch)
    expect(refused.status).to.equal(422)
  })
})
