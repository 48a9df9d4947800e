import { expect } from 'chai'
import type { AuditRule } from '../../apiserver/audit/auditSettings.ts'
import { ruleMatcher, type AuditAttributes } from '../../apiserver/audit/auditRuleMatcher.ts'
import { pathRequest, request } from './support/events.ts'

type Rule = Omit<AuditRule, 'level'>

interface Case {
  rule: Rule
  fits?: readonly Partial<AuditAttributes>[]
  not?: readonly Partial<AuditAttributes>[]
}

const core = (resources: string[], resourceNames?: string[]): Rule => ({
  resources: [{ group: '', resources, ...(resourceNames === undefined ? {} : { resourceNames }) }],
})

const cases: readonly (Case & { name: string })[] = [
  { name: 'an empty rule fits everything', rule: {}, fits: [{}, pathRequest('/version')] },
  {
    name: 'empty lists fit everything',
    rule: { users: [], verbs: [], resources: [], namespaces: [], clusters: [], requestTargets: [] },
    fits: [{}, pathRequest('/version')],
  },
  {
    name: 'users',
    rule: { users: ['bob', 'eve'] },
    fits: [{}],
    not: [{ user: undefined }, { user: { name: 'al', uid: '', groups: ['bob'], extra: {} } }],
  },
  {
    name: 'userGroups: one is enough',
    rule: { userGroups: ['ops', 'devs'] },
    fits: [{}],
    not: [{ user: undefined }, { user: { name: 'devs', uid: '', groups: [], extra: {} } }],
  },
  { name: 'verbs', rule: { verbs: ['get', 'list'] }, fits: [{}], not: [{ verb: 'watch' }] },
  {
    name: 'a resource, not its subresources',
    rule: core(['secrets']),
    fits: [{}],
    not: [
      { resource: 'pods' },
      { group: 'apps' },
      { subresource: 'status' },
      pathRequest('/api/v1/secrets'),
    ],
  },
  {
    name: 'a subresource',
    rule: core(['pods/log']),
    fits: [{ resource: 'pods', subresource: 'log' }],
    not: [{ resource: 'pods' }, { resource: 'pods', subresource: 'exec' }],
  },
  {
    name: 'a resource with all its subresources',
    rule: core(['pods/*']),
    fits: [{ resource: 'pods' }, { resource: 'pods', subresource: 'exec' }],
    not: [{ resource: 'secrets' }],
  },
  {
    name: 'a subresource of every resource',
    rule: core(['*/status']),
    fits: [{ subresource: 'status' }],
    not: [{}, { subresource: 'log' }],
  },
  {
    name: 'every resource of a group',
    rule: core(['*']),
    fits: [{}, { resource: 'pods', subresource: 'log' }],
    not: [{ group: 'apps' }],
  },
  {
    name: 'a group alone',
    rule: { resources: [{ group: 'apps' }] },
    fits: [{ group: 'apps', resource: 'deployments' }],
    not: [{}],
  },
  {
    name: 'every group',
    rule: { resources: [{ group: '*', resources: ['*/log'] }] },
    fits: [{ subresource: 'log' }, { group: 'apps', subresource: 'log' }],
    not: [{}],
  },
  {
    name: 'one of several resources',
    rule: { resources: [{ group: 'apps' }, { resources: ['secrets'] }] },
    fits: [{}, { group: 'apps' }],
    not: [{ resource: 'pods' }],
  },
  {
    name: 'resourceNames of an entry',
    rule: core(['secrets'], ['one']),
    fits: [{}],
    not: [{ name: 'two' }, { name: '' }],
  },
  {
    name: 'resourceNames of the rule',
    rule: { ...core(['secrets']), resourceNames: ['one'] },
    fits: [{}],
    not: [{ name: 'two' }],
  },
  {
    name: 'namespaces',
    rule: { namespaces: ['team'] },
    fits: [{}],
    not: [{ namespace: 'other' }, { namespace: '' }, pathRequest('/version')],
  },
  {
    name: 'the empty namespace: what stands in none',
    rule: { namespaces: [''] },
    fits: [{ namespace: '' }],
    not: [{}, pathRequest('/version')],
  },
  {
    name: 'nonResourceURLs',
    rule: { nonResourceURLs: ['/version', '/auth/*'] },
    fits: [pathRequest('/version'), pathRequest('/auth/login'), pathRequest('/auth/a/b')],
    not: [pathRequest('/versions'), pathRequest('/auth'), {}],
  },
  {
    name: 'every path',
    rule: { nonResourceURLs: ['*'] },
    fits: [pathRequest('/version')],
    not: [{}],
  },
  {
    name: 'requestTargets',
    rule: { requestTargets: ['Cluster', 'VCluster'] },
    fits: [{ target: 'Cluster' }, { target: 'VCluster' }],
    not: [{}, { target: 'ProjectSpace' }, { target: 'ProjectVCluster' }],
  },
  {
    name: 'clusters',
    rule: { clusters: ['east'] },
    fits: [{ target: 'Cluster', cluster: 'east' }],
    not: [{}, { target: 'Cluster', cluster: 'west' }],
  },
  {
    name: 'every list has to fit',
    rule: { ...core(['secrets']), users: ['bob'], verbs: ['get'], namespaces: ['team'] },
    fits: [{}],
    not: [{ verb: 'list' }, { namespace: 'x' }, { resource: 'pods' }],
  },
]

describe('ruleMatcher', () => {
  for (const { name, rule, fits = [], not = [] } of cases) {
    it(`${name} (spec config.audit.policy.matchers)`, () => {
      const matches = ruleMatcher({ level: 'Metadata', ...rule })
      expect(fits.map((more) => matches(request(more)))).to.deep.equal(fits.map(() => true))
      expect(not.map((more) => matches(request(more)))).to.deep.equal(not.map(() => false))
    })
  }
})
