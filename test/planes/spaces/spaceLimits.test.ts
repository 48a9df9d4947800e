import { expect } from 'chai'
import type { AuthorizationAttributes } from '../../../apiserver/authorization/authorizer.ts'
import { isWithin } from '../../../apiserver/planes/spaces/spaceLimits.ts'

const review = { group: 'authorization.k8s.io', verb: 'create' }

describe('isWithin', () => {
  const cases: [name: string, request: Partial<AuthorizationAttributes>, want: boolean][] = [
    ['an object of the namespace', { resource: 'pods', namespace: 'team', name: 'a' }, true],
    ['a list of the namespace', { resource: 'pods', namespace: 'team', verb: 'list' }, true],
    ['an object of another namespace', { resource: 'pods', namespace: 'other', name: 'a' }, false],
    ['a list of all namespaces', { resource: 'pods', verb: 'list' }, false],
    ['an object without a namespace', { resource: 'nodes', name: 'team' }, false],
    ['the namespace itself', { resource: 'namespaces', namespace: 'team', name: 'team' }, true],
    [
      'its status',
      { resource: 'namespaces', subresource: 'status', namespace: 'team', name: 'team' },
      true,
    ],
    [
      'the end of the namespace',
      { resource: 'namespaces', namespace: 'team', name: 'team', verb: 'delete' },
      false,
    ],
    [
      'a change of the namespace',
      { resource: 'namespaces', namespace: 'team', name: 'team', verb: 'update' },
      false,
    ],
    [
      'a change of its finalizers',
      {
        ...{ resource: 'namespaces', subresource: 'finalize', verb: 'update' },
        ...{ namespace: 'team', name: 'team' },
      },
      false,
    ],
    ['another namespace', { resource: 'namespaces', namespace: 'other', name: 'other' }, false],
    [
      'another namespace, asked for as if within',
      { resource: 'namespaces', namespace: 'team', name: 'other' },
      false,
    ],
    ['a list of namespaces', { resource: 'namespaces', verb: 'list' }, false],
    [
      'a kind of that name in another group',
      { group: 'example.com', resource: 'namespaces', namespace: 'team', verb: 'update' },
      true,
    ],
    ['a review of oneself', { ...review, resource: 'selfsubjectaccessreviews' }, true],
    [
      'who one is',
      { ...review, group: 'authentication.k8s.io', resource: 'selfsubjectreviews' },
      true,
    ],
    ['a review of others', { ...review, resource: 'subjectaccessreviews' }, false],
    [
      'a review of others in the namespace',
      { ...review, resource: 'localsubjectaccessreviews', namespace: 'team' },
      true,
    ],
    ['a token', { ...review, group: 'authentication.k8s.io', resource: 'tokenreviews' }, false],
    [
      'a kind of that name in another group, without a namespace',
      { ...review, group: 'example.com', resource: 'selfsubjectaccessreviews' },
      false,
    ],
    ['acting as a user', { resource: 'users', verb: 'impersonate', name: 'ann' }, false],
    [
      'acting as an account of the namespace',
      { resource: 'serviceaccounts', verb: 'impersonate', namespace: 'team' },
      true,
    ],
    ['a path that is no resource', { isResource: false, path: '/version' }, true],
  ]
  for (const [name, request, want] of cases) {
    it(`${want ? 'allows' : 'delays'} ${name}`, () => {
      const full: AuthorizationAttributes = {
        user: { name: 'ann', uid: '', groups: [], extra: {} },
        ...{ verb: 'get', isResource: true, group: '', version: 'v1', resource: '' },
        ...{ subresource: '', namespace: '', name: '', path: '' },
        ...request,
      }
      expect(isWithin(full, 'team')).to.equal(want)
    })
  }
})
