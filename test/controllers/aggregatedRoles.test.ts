import { expect } from 'chai'
import { rulesOf } from '../../apiserver/authorization/rbac/policyRule.ts'
import { AggregatedRoles } from '../../apiserver/controllers/aggregatedRoles.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { openRights, role, type Rights } from '../authorization/rbac/rights.ts'
import { eventually } from '../support/eventually.ts'
import { change, create } from '../support/stores.ts'

const rule = (resource: string) => ({ verbs: ['get'], apiGroups: ['g'], resources: [resource] })

describe('AggregatedRoles', () => {
  let rights: Rights
  let controller: AggregatedRoles

  beforeEach(async () => {
    rights = await openRights()
    const { stores, rbac } = rights
    controller = new AggregatedRoles({
      clusterRoles: rbac.clusterRoles,
      clock: stores.clock,
      report: (error) => {
        throw error
      },
    })
    await controller.start()
  })

  afterEach(async () => {
    controller.stop()
    await rights.stores.close()
  })

  const labelled = (name: string, resource: string, labels: Record<string, string>) => {
    const object = role(name, [rule(resource)])
    return { ...object, metadata: { ...object.metadata, labels } }
  }
  const gathering = (name: string, ...clusterRoleSelectors: unknown[]) => ({
    ...role(name, []),
    aggregationRule: { clusterRoleSelectors },
  })
  const rulesNow = (name: string) =>
    rulesOf(rights.rbac.clusterRoles.newest({ namespace: '', name }).object)
  const until = (name: string, ...resources: string[]) =>
    eventually(
      rights.stores.clock,
      () => JSON.stringify(rulesNow(name)) === JSON.stringify(resources.map(rule)),
    )

  it('aggregates rules, and follows their source roles (reference 7.8)', async () => {
    const { clusterRoles } = rights.rbac
    await create(clusterRoles, labelled('one', 'a', { x: '1' }))
    await create(clusterRoles, gathering('sum', { matchLabels: { x: '1' } }))
    await until('sum', 'a')
    await create(clusterRoles, labelled('two', 'b', { x: '1' }))
    await until('sum', 'a', 'b')
    await change(clusterRoles, { namespace: '', name: 'one' }, (object) => {
      object.metadata.labels = { x: '2' }
    })
    await until('sum', 'b')
    await clusterRoles.delete({ namespace: '', name: 'two' }, {}, systemContext())
    await until('sum')
  })

  it('matches any selector, and aggregates aggregated roles (reference 7.8)', async () => {
    const { clusterRoles } = rights.rbac
    const exists = { matchExpressions: [{ key: 'y', operator: 'Exists' }] }
    const both = gathering('both', { matchLabels: { x: '1' } }, exists)
    await create(clusterRoles, { ...both, metadata: { name: 'both', labels: { z: '1' } } })
    await create(clusterRoles, gathering('all', { matchLabels: { z: '1' } }))
    await create(clusterRoles, labelled('one', 'a', { x: '1' }))
    await create(clusterRoles, labelled('two', 'b', { y: '' }))
    await until('all', 'a', 'b')
  })

  it('overwrites rules written by hand (reference 7.8)', async () => {
    const { clusterRoles } = rights.rbac
    await create(clusterRoles, gathering('sum', { matchLabels: { x: '1' } }))
    await change(clusterRoles, { namespace: '', name: 'sum' }, (object) => {
      object['rules'] = [rule('mine')]
    })
    await until('sum')
    expect(rulesNow('sum')).to.deep.equal([])
  })
})
