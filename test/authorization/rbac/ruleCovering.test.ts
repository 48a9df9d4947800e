import { expect } from 'chai'
import type { PolicyRule } from '../../../apiserver/authorization/rbac/policyRule.ts'
import { ruleLines, uncovered } from '../../../apiserver/authorization/rbac/ruleCovering.ts'

const rule = (verbs: string, groups: string, resources: string, names = ''): PolicyRule => ({
  verbs: verbs.split(','),
  apiGroups: groups.split(','),
  resources: resources.split(','),
  ...(names === '' ? {} : { resourceNames: names.split(',') }),
})
const paths = (verbs: string, urls: string): PolicyRule => ({
  verbs: verbs.split(','),
  nonResourceURLs: urls.split(','),
})

describe('uncovered', () => {
  const cases: [string, PolicyRule[], PolicyRule[], string[]][] = [
    ['the same', [rule('get', 'g', 'a')], [rule('get', 'g', 'a')], []],
    ['all', [rule('*', '*', '*')], [rule('get,x', 'g,h', 'a,b/c', 'n')], []],
    [
      'of two rules',
      [rule('get', 'g', 'a'), rule('list', 'g', 'a')],
      [rule('get,list', 'g', 'a')],
      [],
    ],
    [
      'a verb',
      [rule('get', 'g', 'a')],
      [rule('get,list,watch', 'g', 'a')],
      ['{APIGroups:["g"], Resources:["a"], Verbs:["list" "watch"]}'],
    ],
    [
      'a star that is not held',
      [rule('get', 'g', 'a')],
      [rule('*', 'g', 'a')],
      ['{APIGroups:["g"], Resources:["a"], Verbs:["*"]}'],
    ],
    [
      'every name where some are held',
      [rule('get', 'g', 'a', 'n')],
      [rule('get', 'g', 'a')],
      ['{APIGroups:["g"], Resources:["a"], Verbs:["get"]}'],
    ],
    [
      'another name',
      [rule('get', 'g', 'a', 'n')],
      [rule('get', 'g', 'a', 'n,m')],
      ['{APIGroups:["g"], Resources:["a"], ResourceNames:["m"], Verbs:["get"]}'],
    ],
    ['names where all are held', [rule('get', 'g', 'a')], [rule('get', 'g', 'a', 'n')], []],
    ['a subresource by */sub', [rule('get', 'g', '*/s')], [rule('get', 'g', 'a/s')], []],
    [
      'a subresource of a resource',
      [rule('get', 'g', 'a')],
      [rule('get', 'g', 'a/s')],
      ['{APIGroups:["g"], Resources:["a/s"], Verbs:["get"]}'],
    ],
    ['a path below a star', [paths('get', '/a/*')], [paths('get', '/a/b,/a/*')], []],
    [
      'paths',
      [paths('get', '/a')],
      [paths('get,post', '/a,/b')],
      [
        '{NonResourceURLs:["/a"], Verbs:["post"]}',
        '{NonResourceURLs:["/b"], Verbs:["get"]}',
        '{NonResourceURLs:["/b"], Verbs:["post"]}',
      ],
    ],
    [
      'a path where resources are held',
      [rule('*', '*', '*')],
      [paths('get', '/a')],
      ['{NonResourceURLs:["/a"], Verbs:["get"]}'],
    ],
  ]
  for (const [what, held, wanted, lines] of cases) {
    it(`${what} (reference 7.8)`, () => {
      expect(ruleLines(uncovered(held, wanted))).to.deep.equal(lines)
    })
  }
})
