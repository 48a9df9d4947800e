import { expect } from 'chai'
import {
  cellKeys,
  GrantTable,
  type BoundRole,
} from '../../../apiserver/authorization/rbac/grantTable.ts'
import { atOnce } from '../../../apiserver/meta/waiting/steps.ts'
import { aggregatedRules } from '../../../apiserver/authorization/rbac/roleAggregation.ts'
import type { PolicyRule } from '../../../apiserver/authorization/rbac/policyRule.ts'
import { uncovered } from '../../../apiserver/authorization/rbac/ruleCovering.ts'
import { deadline } from '../../support/deadlines.ts'

const values = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`)

function boundTo(rules: readonly PolicyRule[], reason = 'bound'): BoundRole {
  return { rules, reason }
}

function allowed(table: GrantTable, rest: object = {}): string | undefined {
  const request = {
    ...{ isResource: true, verb: 'get', group: 'g7', resource: 'r9', subresource: '' },
    ...{ namespace: '', name: 'n3', path: '', user: { name: 'u', groups: [] } },
    ...rest,
  } as unknown as Parameters<GrantTable['allowing']>[0]
  return table.allowing(request, cellKeys(request))?.reason
}

function taken(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

describe('roles with many values', () => {
  const wide: PolicyRule = {
    verbs: ['get'],
    apiGroups: values('g', 2_500),
    resources: [...values('r', 2_500), '*/status'],
  }

  it('are indexed in time and memory of their values, not of their products', () => {
    const table = new GrantTable()
    const before = process.memoryUsage().heapUsed
    const ms = taken(() => {
      for (let at = 0; at < 200; at++) table.add(boundTo([wide]))
      expect(allowed(table)).to.equal('bound')
    })
    expect(ms).to.be.lessThan(deadline(300))
    expect(process.memoryUsage().heapUsed - before).to.be.lessThan(200e6)
  })

  it('allow the same requests as rules with few', () => {
    const table = new GrantTable()
    table.add(boundTo([{ ...wide, resourceNames: values('n', 10) }]))
    const cases: [object, boolean][] = [
      [{}, true],
      [{ verb: 'list' }, false],
      [{ group: 'other' }, false],
      [{ resource: 'other' }, false],
      [{ name: 'other' }, false],
      [{ resource: 'other', subresource: 'status' }, true],
      [{ subresource: 'log' }, false],
    ]
    for (const [rest, isAllowed] of cases)
      expect(allowed(table, rest) !== undefined, JSON.stringify(rest)).to.equal(isAllowed)
  })

  it('are granted as long as one of several bindings of the same rules is left', () => {
    for (const rules of [[wide], [{ verbs: ['get'], apiGroups: ['g7'], resources: ['r9'] }]]) {
      const table = new GrantTable()
      const [first, second, third] = ['first', 'second', 'third'].map((name) =>
        boundTo(rules, name),
      ) as [BoundRole, BoundRole, BoundRole]
      table.add(first)
      expect(allowed(table)).to.equal('first')
      table.add(second)
      table.add(third)
      table.remove(second)
      expect(allowed(table)).to.equal('first')
      table.remove(first)
      expect(allowed(table)).to.equal('third')
      table.remove(third)
      expect([allowed(table), table.isEmpty]).to.deep.equal([undefined, true])
    }
  })

  it('are refused as a whole if their parts are too many to compare', () => {
    const rule: PolicyRule = {
      verbs: values('v', 100),
      apiGroups: values('g', 100),
      resources: values('r', 100),
      resourceNames: values('n', 100),
    }
    const held: PolicyRule[] = values('h', 40).map((name) => ({
      ...{ verbs: ['get'], apiGroups: [''], resources: [name] },
    }))
    let missing: PolicyRule[] = []
    const rules = Array.from({ length: 20 }, () => rule)
    expect(taken(() => (missing = uncovered(held, rules)))).to.be.lessThan(deadline(300))
    expect(missing).to.deep.equal(rules)
    expect(uncovered([...held, rule], [rule])).to.deep.equal([])
    expect(uncovered([{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], rules)).to.deep.equal(
      [],
    )
  })

  it('take bounded time against many bindings of many rules', () => {
    const role: PolicyRule[] = values('h', 2_000).map((name) => ({
      ...{ verbs: ['get'], apiGroups: [''], resources: [name] },
    }))
    const held = Array.from({ length: 20 }, () => role).flat()
    const wanted = [{ verbs: ['get'], apiGroups: [''], resources: values('x', 1_300) }]
    let missing: PolicyRule[] = []
    expect(taken(() => (missing = uncovered(held, wanted)))).to.be.lessThan(deadline(500))
    expect(missing.length).to.be.greaterThan(0)
  })

  it('are aggregated once each, however many selectors match them', () => {
    const labels = { team: 'a' }
    const rules = values('h', 1_300).map((name) => ({ verbs: ['get'], resources: [name] }))
    const others = values('o', 5).map((name) => ({
      ...{ kind: 'ClusterRole', apiVersion: 'v1', metadata: { name, labels }, rules },
    }))
    const clusterRoleSelectors = Array.from({ length: 2_500 }, () => ({ matchLabels: labels }))
    const role = {
      ...others[0],
      metadata: { name: 'all' },
      aggregationRule: { clusterRoleSelectors },
    }
    let found: PolicyRule[] | undefined
    const ms = taken(() => (found = atOnce(aggregatedRules(role as never, others as never))))
    expect(ms).to.be.lessThan(deadline(300))
    expect(found?.length).to.equal(1_300)
  })
})
