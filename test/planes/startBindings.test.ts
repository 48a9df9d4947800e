import { expect } from 'chai'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { roleWithin, spaceRole } from '../../apiserver/apis/management/instances/rolesWithin.ts'
import { planeUser } from '../../apiserver/planes/startBindings.ts'

const instance = (spec: object, access?: unknown): ApiObject => ({
  kind: 'VirtualClusterInstance',
  apiVersion: 'management.platform/v1',
  metadata: { name: 'v' },
  spec,
  status: { virtualCluster: { access } },
})

describe('roleWithin', () => {
  const ann = { groups: ['platform:user:*', 'platform:user:ann', 'platform:team:ops'] }
  const rule = (who: object, clusterRole?: string) => ({
    extraAccessRules: [{ ...who, clusterRole }],
  })
  const cases: [name: string, object: ApiObject, want: string][] = [
    ['administrator where nothing is said', instance({}), 'cluster-admin'],
    ['the role of a rule for the user', instance(rule({ users: ['ann'] }, 'view')), 'view'],
    ['the role of a rule for everybody', instance(rule({ users: ['*'] }, 'edit')), 'edit'],
    ['the role of a rule for a team', instance(rule({ teams: ['ops'] }, 'admin')), 'admin'],
    ['nothing of a rule for another', instance(rule({ users: ['bob'] }, 'view')), 'cluster-admin'],
    [
      'the role of a rule of the template',
      instance({}, { rules: [{ users: ['ann'], clusterRole: 'view' }] }),
      'view',
    ],
    [
      'the default of the template',
      instance({}, { defaultClusterRole: 'edit', rules: [] }),
      'edit',
    ],
    [
      'the default where rules make no sense',
      instance({}, { defaultClusterRole: 'edit', rules: [{ users: 'ann' }, 3] }),
      'edit',
    ],
    ['nothing of access that makes no sense', instance({}, ['x']), 'cluster-admin'],
  ]
  for (const [name, object, want] of cases) {
    it(`gives ${name}`, () => expect(roleWithin(object, ann, defaultNames)).to.equal(want))
  }
})

describe('spaceRole', () => {
  const ann = { groups: ['platform:user:ann'] }
  const space = (spec: object, status: object = {}): ApiObject => ({
    ...instance(spec),
    kind: 'SpaceInstance',
    status,
  })
  const rules = [{ users: ['ann'], clusterRole: 'view' }]
  const cases: [name: string, object: ApiObject, want: string][] = [
    ['administrator of the namespace where nothing is said', space({}), 'admin'],
    ['the role of a rule for the user', space({ extraAccessRules: rules }), 'view'],
    ['the role of a rule of the template', space({}, { space: { access: { rules } } }), 'view'],
    [
      'the default of the template',
      space({}, { space: { access: { defaultClusterRole: 'edit' } } }),
      'edit',
    ],
  ]
  for (const [name, object, want] of cases) {
    it(`gives ${name}`, () => expect(spaceRole(object, ann, defaultNames)).to.equal(want))
  }
})

describe('planeUser', () => {
  it('has the group of one role, whatever groups it had before', () => {
    const user = { name: 'a', uid: 'u', groups: ['g', 'platform:entrant:cluster-admin'], extra: {} }
    expect(planeUser(user, 'view', defaultNames)).to.deep.equal({
      ...user,
      groups: ['g', 'platform:entrant:view'],
    })
  })
})
