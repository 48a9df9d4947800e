import { expect } from 'chai'
import { derivedScope } from '../../../apiserver/authorization/scope/derivedScope.ts'
import { scopeErrors } from '../../../apiserver/authorization/scope/scopeErrors.ts'
import { defaultNames } from '../../../apiserver/meta/names/namesProfile.ts'
import type { UserInfo } from '../../../apiserver/meta/types.ts'

const alone = 'a wildcard cannot be combined with other values'
const pattern = 'must be a resource, resource/subresource, *, resource/* or */subresource'
const path = 'must begin with a slash, with a wildcard only as the final path step'

describe('scopeErrors', () => {
  const cases: { name: string; scope: Record<string, unknown>; want: string[] }[] = [
    { name: 'an empty scope', scope: {}, want: [] },
    {
      name: 'everything at once',
      scope: {
        roles: [{ role: 'agent' }, { role: 'platform-cli', projects: ['a'] }],
        projects: [{ project: '*' }],
        spaces: [{ project: 'a', space: '*' }],
        virtualClusters: [{ project: 'a', virtualCluster: 'b' }],
        clusters: [{ cluster: '*' }],
        rules: [
          {
            verbs: ['get'],
            resources: [{ resources: ['a', 'a/b', '*', 'a/*', '*/b'], resourceNames: ['x'] }],
            resourceNames: ['x'],
            namespaces: [''],
            requestTargets: ['Management', 'Cluster', 'ProjectSpace', 'ProjectVirtualCluster'],
          },
          { nonResourceURLs: ['*', '/metrics', '/debug/*'] },
        ],
      },
      want: [],
    },
    {
      name: 'a role without a name and one that nobody knows',
      scope: { roles: [{}, { role: 'captain' }] },
      want: [
        's.roles[0].role: Required value',
        's.roles[1].role: Unsupported value: "captain": supported values: "agent", "metrics-reader", "metrics-writer", "network-peer", "runner", "vcluster", "workspace", "platformCLI", "platform-cli"',
      ],
    },
    {
      name: 'entries without a name',
      scope: { projects: [{}], spaces: [{ project: 'a' }], virtualClusters: [{}], clusters: [{}] },
      want: [
        's.projects[0].project: Required value',
        's.spaces[0].space: Required value',
        's.virtualClusters[0].project: Required value',
        's.virtualClusters[0].virtualCluster: Required value',
        's.clusters[0].cluster: Required value',
      ],
    },
    {
      name: 'a star within a name',
      scope: { projects: [{ project: 'a*' }], clusters: [{ cluster: '**' }] },
      want: [
        `s.projects[0].project: Invalid value: "a*": ${alone}`,
        `s.clusters[0].cluster: Invalid value: "**": ${alone}`,
      ],
    },
    {
      name: 'patterns that are none',
      scope: { rules: [{ resources: [{ resources: ['', 'a*', 'a/b/c', '/b'] }] }] },
      want: ['', 'a*', 'a/b/c', '/b'].map(
        (text, at) =>
          `s.rules[0].resources[0].resources[${at}]: Invalid value: "${text}": ${pattern}`,
      ),
    },
    {
      name: 'names without resources, in both places',
      scope: { rules: [{ resourceNames: ['x'] }, { resources: [{ resourceNames: ['x'] }] }] },
      want: [
        's.rules[0].resources: Required value: resourceNames need resources',
        's.rules[1].resources[0].resources: Required value: resourceNames need resources',
      ],
    },
    {
      name: 'paths that are none',
      scope: { rules: [{ nonResourceURLs: ['metrics', '/deb*', '/*/a', '/a/*/b'] }] },
      want: ['metrics', '/deb*', '/*/a', '/a/*/b'].map(
        (text, at) => `s.rules[0].nonResourceURLs[${at}]: Invalid value: "${text}": ${path}`,
      ),
    },
    {
      name: 'resources and paths in one rule',
      scope: { rules: [{ nonResourceURLs: ['/a'], namespaces: ['b'] }] },
      want: [
        's.rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
      ],
    },
    {
      name: 'a target that is none, and an empty verb',
      scope: { rules: [{ requestTargets: ['VCluster'], verbs: [''] }] },
      want: [
        's.rules[0].verbs[0]: Required value',
        's.rules[0].requestTargets[0]: Unsupported value: "VCluster": supported values: "Management", "Cluster", "ProjectSpace", "ProjectVirtualCluster"',
      ],
    },
  ]
  for (const { name, scope, want } of cases) {
    it(name, () => {
      const found = scopeErrors(scope, 's', defaultNames)
      expect(found.map(({ field, message }) => `${field}: ${message}`)).to.deep.equal(want)
    })
  }
})

describe('derivedScope', () => {
  const blue = { projects: [{ project: 'blue' }] }
  const green = { projects: [{ project: 'green' }] }
  const user = (scope?: Record<string, unknown>): UserInfo => ({
    ...{ name: 'jane', uid: '', groups: [], extra: {} },
    credential: scope === undefined ? {} : { scope },
  })
  const refused = { refusal: 'what is made under a scope has the same scope' }
  const cases = [
    { name: 'without a scope: as wanted', own: undefined, wanted: blue, want: { scope: blue } },
    {
      name: 'without a scope: none',
      own: undefined,
      wanted: undefined,
      want: { scope: undefined },
    },
    { name: 'under an empty scope: none', own: {}, wanted: undefined, want: { scope: undefined } },
    { name: 'under a scope: the same', own: blue, wanted: undefined, want: { scope: blue } },
    {
      name: 'under a scope: the same for an empty one',
      own: blue,
      wanted: {},
      want: { scope: blue },
    },
    {
      name: 'under a scope: the same again',
      own: blue,
      wanted: { ...blue },
      want: { scope: blue },
    },
    { name: 'under a scope: no other', own: blue, wanted: green, want: refused },
  ]
  for (const { name, own, wanted, want } of cases) {
    it(name, () => {
      expect(derivedScope(user(own), wanted, defaultNames)).to.deep.equal(want)
    })
  }
})
