import { expect } from 'chai'
import { namespaceResource } from '../../apiserver/apis/kubernetes/core/namespace/namespace.ts'
import { identityGroups } from '../../apiserver/authorization/superusers.ts'
import { roleRefOf, rulesOf, subjectsOf } from '../../apiserver/authorization/rbac/policyRule.ts'
import { ProjectMembers } from '../../apiserver/controllers/projectMembers.ts'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { openRights, request, role, user, type Rights } from '../authorization/rbac/rights.ts'
import { eventually, turns } from '../support/eventually.ts'
import { projectKind } from '../support/kinds/projectKind.ts'
import { change, create } from '../support/stores.ts'

const instances = 'management.platform/virtualclusterinstances'
const projectsOf = 'management.platform/projects'

describe('ProjectMembers', () => {
  let rights: Rights
  let projects: Store
  let namespaces: Store
  let controller: ProjectMembers
  let prefix: string
  let reported: unknown[]

  beforeEach(async () => {
    rights = await openRights()
    projects = rights.stores.storeOf(projectKind)
    namespaces = rights.stores.storeOf(namespaceResource)
    prefix = 'p-'
    reported = []
    controller = newController()
    await controller.start()
    const rule = { verbs: ['get'], apiGroups: ['management.platform'] }
    const rules = [{ ...rule, resources: ['virtualclusterinstances'] }]
    await create(rights.rbac.clusterRoles, role('use', rules))
    await create(rights.rbac.clusterRoles, role('run', [{ ...rules[0], verbs: ['*'] }]))
  })

  afterEach(async () => {
    controller.stop()
    await rights.stores.close()
    expect(reported).to.deep.equal([])
  })

  function newController(): ProjectMembers {
    const { stores, rbac } = rights
    return new ProjectMembers({
      rbac,
      projects,
      namespaces,
      names: { ...defaultNames, groups: identityGroups(defaultNames) },
      prefix: () => prefix,
      clock: stores.clock,
      report: (error) => reported.push(error),
    })
  }

  type Member = [kind: string, name: string, clusterRole?: string]
  const specOf = (members: Member[]) => ({
    members: members.map(([kind, name, clusterRole]) => {
      return { kind, name, ...(clusterRole === undefined ? {} : { clusterRole }) }
    }),
  })
  const project = (members: Member[], name = 'shop') =>
    create(projects, {
      kind: 'Project',
      apiVersion: projects.apiVersion,
      metadata: { name },
      spec: specOf(members),
    })
  const setMembers = (members: Member[]) =>
    change(projects, { namespace: '', name: 'shop' }, (object) => {
      object['spec'] = specOf(members)
    })
  const namespace = (name: string) =>
    create(namespaces, { kind: 'Namespace', apiVersion: 'v1', metadata: { name } })
  const until = (isSo: () => boolean) => eventually(rights.stores.clock, isSo)
  const may = (who: string, text: string, ...others: string[]) =>
    rights.authorizer.authorize(request(user(who, `platform:user:${who}`, ...others), text)).allowed
  const made = (store: Store) =>
    [...store.cache.all()]
      .map((entry) => entry.object())
      .filter(({ metadata }) => metadata.name?.startsWith('platform:member:') === true)

  const inShop = `get ${instances} p-shop/x`

  it("gives a member its cluster role in the project's namespace, and read access to the project (facts 3.3)", async () => {
    await namespace('p-shop')
    const { metadata } = await project([
      ['User', 'ann', 'use'],
      ['Team', 'red', 'use'],
      ['User', 'eve', 'run'],
    ])
    await until(() => may('ann', inShop) && may('eve', `delete ${instances} p-shop/x`))
    expect([
      may('bob', inShop, 'platform:team:red'),
      may('ann', `get ${projectsOf} shop`),
      may('eve', `get ${projectsOf}/clusters shop`),
    ]).to.deep.equal([true, true, true])
    expect([
      may('bob', inShop),
      may('ann', `delete ${instances} p-shop/x`),
      may('ann', `get ${instances} p-other/x`),
      may('ann', `get ${projectsOf} other`),
      may('ann', `update ${projectsOf} shop`),
      may('ann', `get ${projectsOf}/move shop`),
      may('bob', `get ${projectsOf} shop`),
    ]).to.deep.equal([false, false, false, false, false, false, false])
    const owner = {
      apiVersion: projects.apiVersion,
      kind: 'Project',
      name: 'shop',
      uid: metadata.uid,
      controller: true,
    }
    const bindings = [...made(rights.rbac.roleBindings), ...made(rights.rbac.clusterRoleBindings)]
    expect(
      bindings.map((binding) => [
        binding.metadata.namespace,
        roleRefOf(binding).name,
        subjectsOf(binding).map(({ name }) => name),
        binding.metadata.ownerReferences,
      ]),
    ).to.deep.equal([
      ['p-shop', 'run', ['platform:user:eve'], [owner]],
      ['p-shop', 'use', ['platform:team:red', 'platform:user:ann'], [owner]],
      [
        undefined,
        'platform:member:projects:shop',
        ['platform:team:red', 'platform:user:ann', 'platform:user:eve'],
        [owner],
      ],
    ])
    expect(made(rights.rbac.clusterRoles).map(rulesOf)).to.deep.equal([
      [
        {
          verbs: ['get'],
          apiGroups: ['management.platform'],
          resources: ['projects', 'projects/clusters'],
          resourceNames: ['shop'],
        },
      ],
    ])
  })

  it('removes the rights with the member, the role and the project', async () => {
    await namespace('p-shop')
    await project([
      ['User', 'ann', 'use'],
      ['User', 'eve', 'run'],
    ])
    await until(() => may('ann', inShop) && may('eve', inShop))
    await setMembers([['User', 'eve', 'use']])
    await until(() => !may('ann', inShop) && !may('eve', `delete ${instances} p-shop/x`))
    await until(() => may('eve', inShop) && !may('ann', `get ${projectsOf} shop`))
    await setMembers([['User', 'eve']])
    await until(() => !may('eve', inShop))
    expect(may('eve', `get ${projectsOf} shop`)).to.equal(true)
    await projects.delete({ namespace: '', name: 'shop' }, {}, systemContext())
    await until(() => !may('eve', `get ${projectsOf} shop`))
    await until(() => made(rights.rbac.clusterRoles).length === 0)
  })

  it('gives nothing to a member of another kind or without a name', async () => {
    await namespace('p-shop')
    await project([
      ['Robot', 'ann', 'use'],
      ['User', '', 'use'],
      ['User', 'eve', 'use'],
    ])
    await until(() => may('eve', inShop))
    expect([may('ann', inShop), may('', inShop)]).to.deep.equal([false, false])
  })

  it("waits for the project's namespace, and adds the rights again if it is created anew", async () => {
    await project([['User', 'ann', 'use']])
    await until(() => may('ann', `get ${projectsOf} shop`))
    expect(made(rights.rbac.roleBindings)).to.deep.equal([])
    await namespace('p-shop')
    await until(() => may('ann', inShop))
    await change(namespaces, { namespace: '', name: 'p-shop' }, (object) => {
      object.metadata.finalizers = ['test/wait']
    })
    await namespaces.delete({ namespace: '', name: 'p-shop' }, {}, systemContext())
    await until(() => !may('ann', inShop))
  })

  it('follows the prefix of the namespaces', async () => {
    await namespace('p-shop')
    await namespace('team-shop')
    await project([['User', 'ann', 'use']])
    await until(() => may('ann', inShop))
    prefix = 'team-'
    controller.checkAll()
    await until(() => may('ann', `get ${instances} team-shop/x`) && !may('ann', inShop))
  })

  it('reverts manual changes, but recreates nothing for a project being deleted', async () => {
    await namespace('p-shop')
    await project([['User', 'ann', 'use']])
    await until(() => may('ann', inShop))
    const [binding] = made(rights.rbac.roleBindings)
    const target = { namespace: 'p-shop', name: binding?.metadata.name ?? '' }
    await rights.rbac.roleBindings.delete(target, {}, systemContext())
    await until(() => may('ann', inShop))
    await change(projects, { namespace: '', name: 'shop' }, (object) => {
      object.metadata.finalizers = ['test/wait']
    })
    await projects.delete({ namespace: '', name: 'shop' }, {}, systemContext())
    await until(() => !may('ann', inShop))
  })

  it('creates and removes after a restart what it missed', async () => {
    await namespace('p-shop')
    await namespace('p-other')
    await project([['User', 'ann', 'use']])
    await until(() => may('ann', inShop))
    controller.stop()
    await projects.delete({ namespace: '', name: 'shop' }, {}, systemContext())
    await project([['User', 'bob', 'use']], 'other')
    await turns()
    controller = newController()
    await controller.start()
    await until(() => !may('ann', inShop) && may('bob', `get ${instances} p-other/x`))
  })
})
