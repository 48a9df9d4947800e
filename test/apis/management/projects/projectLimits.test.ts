import { expect } from 'chai'
import type { HttpClient } from '../../../endpoints/support/httpClient.ts'
import { management, openBob, useTestServer } from '../../../endpoints/support/testServer.ts'

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const group = 'management.platform'
const inProject = (project: string, plural: string) =>
  `${management}/namespaces/p-${project}/${plural}`

describe('limits of a project for its instances', () => {
  const server = useTestServer()
  let admin: HttpClient
  let bob: HttpClient
  let made = 0

  before(async () => {
    admin = server().admin
    bob = await openBob(server())
    for (const name of ['one', 'two']) {
      await admin.post(`${management}/clusters`, { metadata: { name } })
      await admin.post(`${management}/virtualclustertemplates`, { metadata: { name } })
      await admin.post(`${management}/spacetemplates`, { metadata: { name } })
    }
    const project = (name: string, spec: object) =>
      admin.post(`${management}/projects`, { metadata: { name }, spec })
    const allowedTemplates = [
      { kind: 'VirtualClusterTemplate', name: 'one' },
      { kind: 'SpaceTemplate', name: '*' },
    ]
    await project('shop', { allowedClusters: [{ name: 'one' }], allowedTemplates })
    await project('free', {
      allowedClusters: [{ name: '*' }],
      requireTemplate: { disabled: true },
    })
    await project('bare', {})
    const resources = ['virtualclusterinstances', 'spaceinstances']
    await admin.post(`${rbac}/clusterroles`, {
      metadata: { name: 'maker' },
      rules: [{ apiGroups: [group], resources, verbs: ['create', 'update', 'patch', 'get'] }],
    })
    await admin.post(`${rbac}/clusterrolebindings`, {
      metadata: { name: 'maker' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'maker' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
    })
  })

  const inOne = { clusterRef: { cluster: 'one' } }
  const inTwo = { clusterRef: { cluster: 'two' } }
  const ofOne = { templateRef: { name: 'one' } }
  const ofTwo = { templateRef: { name: 'two' } }
  const needsTemplate = 'project "shop" requires a template: spec.templateRef names none'

  const cases: {
    name: string
    who: 'admin' | 'bob'
    project?: string
    spec: object
    refusal?: string
    space?: string
  }[] = [
    { name: 'a cluster that it names', who: 'admin', spec: inOne },
    {
      name: 'another cluster',
      who: 'admin',
      spec: inTwo,
      refusal: 'project "shop" may not use cluster "two"',
    },
    { name: 'any cluster, by a star', who: 'admin', project: 'free', spec: inTwo },
    {
      name: 'a cluster, of a project that names none',
      who: 'admin',
      project: 'bare',
      spec: inOne,
      refusal: 'project "bare" may not use cluster "one"',
    },
    { name: 'no cluster, of a project that names none', who: 'admin', project: 'bare', spec: {} },
    { name: 'a template that it names', who: 'bob', spec: ofOne },
    {
      name: 'another template',
      who: 'bob',
      spec: ofTwo,
      refusal: 'project "shop" may not use template "two"',
      space: 'made',
    },
    {
      name: 'another template, by whoever may do without',
      who: 'admin',
      spec: ofTwo,
      refusal: 'project "shop" may not use template "two"',
      space: 'made',
    },
    {
      name: 'no template, by who has no right to that',
      who: 'bob',
      spec: {},
      refusal: needsTemplate,
    },
    { name: 'no template, by who has', who: 'admin', spec: {} },
    { name: 'no template, where none is required', who: 'bob', project: 'free', spec: {} },
  ]
  for (const plural of ['virtualclusterinstances', 'spaceinstances']) {
    for (const { name, who, project = 'shop', spec, refusal, space } of cases) {
      const isRefused =
        refusal !== undefined && !(plural === 'spaceinstances' && space !== undefined)
      it(`${plural} with ${name}: ${isRefused ? 403 : 201} (facts 3.2)`, async () => {
        const client = who === 'admin' ? admin : bob
        const metadata = { name: `i${++made}` }
        const answer = await client.post(inProject(project, plural), { metadata, spec })
        const text = `${plural}.${group} "${metadata.name}" is forbidden: ${refusal ?? ''}`
        expect([answer.status, answer.field('message')]).to.deep.equal(
          isRefused ? [403, text] : [201, undefined],
        )
      })
    }
  }

  it('an update is checked only for what it changes', async () => {
    const plural = 'virtualclusterinstances'
    const path = `${inProject('shop', plural)}/kept`
    await admin.post(inProject('shop', plural), {
      metadata: { name: 'kept' },
      spec: { ...inOne, ...ofOne },
    })
    const patch = (client: HttpClient, spec: object) =>
      client.patch(path, 'merge-patch+json', { spec })
    expect((await patch(bob, { displayName: 'x' })).status).to.equal(200)
    expect((await patch(bob, inTwo)).status).to.equal(403)
    expect((await patch(bob, { templateRef: null })).field('message')).to.equal(
      `${plural}.${group} "kept" is forbidden: ${needsTemplate}`,
    )
    await admin.patch(`${management}/projects/shop`, 'merge-patch+json', {
      spec: { allowedClusters: [] },
    })
    expect((await patch(bob, { displayName: 'y' })).status).to.equal(200)
  })
})
