import { expect } from 'chai'
import { matchPath, type MatchOptions } from '../../../syncer/paths/matchPath.ts'
import { parsePath, showPath } from '../../../syncer/paths/parsePath.ts'
import { replaceMatches } from '../../../syncer/paths/replaceMatches.ts'

interface Case {
  name: string
  path: string
  change: (value: unknown, path: string) => unknown
  document: unknown
  want: unknown
  options?: MatchOptions
}

const text = (value: unknown) => String(value)
const translated = (value: unknown) => `${text(value)}-translated`
const prefixed = (value: unknown) => `vcluster.${text(value)}`
const fresh = (value: unknown) => `new-${text(value)}`
const cut = (value: unknown) => `./${text(value).slice(text(value).indexOf('/') + 1)}`

function apply({ path, change, document, options }: Case): unknown {
  const copy = structuredClone(document)
  const matches = matchPath(copy, parsePath(path), options)
  const results = matches.map((match) => change(match.value, showPath(match.path)))
  replaceMatches(matches, results)
  return copy
}

describe('matchPath and replaceMatches', () => {
  const cases: Case[] = [
    {
      name: 'simple translate, a list',
      path: 'metadata.finalizers[0]',
      change: translated,
      document: { metadata: { finalizers: ['test'] } },
      want: { metadata: { finalizers: ['test-translated'] } },
    },
    {
      name: 'simple translate, a map',
      path: 'metadata.name',
      change: translated,
      document: { metadata: { name: 'test' } },
      want: { metadata: { name: 'test-translated' } },
    },
    {
      name: 'array',
      path: 'metadata.finalizers[1]',
      change: translated,
      document: { metadata: { finalizers: ['test1', 'test123'] } },
      want: { metadata: { finalizers: ['test1', 'test123-translated'] } },
    },
    {
      name: 'translate 1',
      path: 'spec.rules[*].host',
      change: prefixed,
      document: { spec: { rules: [{ host: 'foo.bar.com' }, { host: '*.foo.com' }] } },
      want: { spec: { rules: [{ host: 'vcluster.foo.bar.com' }, { host: 'vcluster.*.foo.com' }] } },
    },
    {
      name: 'translate 2',
      path: 'spec.rules.*.host',
      change: prefixed,
      document: { spec: { rules: { abc: { host: 'a' }, def: { host: 'b' } } } },
      want: { spec: { rules: { abc: { host: 'vcluster.a' }, def: { host: 'vcluster.b' } } } },
    },
    {
      name: 'path',
      path: 'spec.rules[*][*]',
      change: (_, path) => path,
      document: { spec: { rules: { 'test.object.other': ['hello', 'world'] } } },
      want: {
        spec: {
          rules: {
            'test.object.other': [
              'spec.rules."test.object.other".0',
              'spec.rules."test.object.other".1',
            ],
          },
        },
      },
    },
    {
      name: 'path, the list itself',
      path: 'spec.rules["test.object.other"]',
      change: (value) => [...(value as string[]), 'added'],
      document: { spec: { rules: { 'test.object.other': ['hello'] } } },
      want: { spec: { rules: { 'test.object.other': ['hello', 'added'] } } },
    },
    {
      name: 'path with several wildcards',
      path: 'spec.servers[*].hosts[*]',
      change: cut,
      document: {
        spec: {
          servers: [
            { hosts: ['foo01/foo.ingress.example', 'foo02/admin.example'] },
            { hosts: ['foo11/foo.ingress.example'] },
          ],
        },
      },
      want: {
        spec: {
          servers: [
            { hosts: ['./foo.ingress.example', './admin.example'] },
            { hosts: ['./foo.ingress.example'] },
          ],
        },
      },
    },
    {
      name: 'handle nil',
      path: 'spec.rules',
      change: (value) => (typeof value === 'string' ? value : 'test'),
      document: { spec: { rules: null } },
      want: { spec: { rules: 'test' } },
    },
    {
      name: 'complex bracket',
      path: 'metadata.annotations["app.kubernetes.io/name"]',
      change: (value) => `${text(value)}-modified`,
      document: { metadata: { annotations: { 'app.kubernetes.io/name': 'test' } } },
      want: { metadata: { annotations: { 'app.kubernetes.io/name': 'test-modified' } } },
    },
    {
      name: 'complex bracket, a label',
      path: 'metadata.labels["environment"]',
      change: (value) => `${text(value)}-updated`,
      document: { metadata: { labels: { environment: 'prod' } } },
      want: { metadata: { labels: { environment: 'prod-updated' } } },
    },
    {
      name: 'mixed',
      path: 'config.databases[*].host',
      change: fresh,
      document: { config: { databases: [{ host: 'db1.domain.com' }, { host: 'db2.domain.com' }] } },
      want: {
        config: { databases: [{ host: 'new-db1.domain.com' }, { host: 'new-db2.domain.com' }] },
      },
    },
    {
      name: 'nested bracket',
      path: 'spec.ingress.rules["api.example.com"].paths[*].backend',
      change: (value) => `updated-${text(value)}`,
      document: {
        spec: {
          ingress: {
            rules: {
              'api.example.com': { paths: [{ backend: 'service1' }, { backend: 'service2' }] },
            },
          },
        },
      },
      want: {
        spec: {
          ingress: {
            rules: {
              'api.example.com': {
                paths: [{ backend: 'updated-service1' }, { backend: 'updated-service2' }],
              },
            },
          },
        },
      },
    },
    {
      name: 'special keys',
      path: 'data["config.yaml"]',
      change: (value) => text(value).replace('value', 'modified-value'),
      document: { data: { 'config.yaml': 'key: value', 'secret-123': 'encrypted' } },
      want: { data: { 'config.yaml': 'key: modified-value', 'secret-123': 'encrypted' } },
    },
    {
      name: 'special keys, a dash',
      path: 'data["secret-123"]',
      change: (value) => `${text(value)}-updated`,
      document: { data: { 'secret-123': 'encrypted' } },
      want: { data: { 'secret-123': 'encrypted-updated' } },
    },
    {
      name: 'has: what does not match is skipped',
      path: 'spec.rules[*].host.other',
      change: () => 'changed',
      document: { spec: { rules: ['other', { host: { other: 'x' } }] } },
      want: { spec: { rules: ['other', { host: { other: 'changed' } }] } },
    },
    {
      name: 'has: an absent path',
      path: 'spec.rules[*].other',
      change: () => 'changed',
      document: { spec: { rules: ['other', { host: { other: 'x' } }] } },
      want: { spec: { rules: ['other', { host: { other: 'x' } }] } },
    },
    {
      name: 'an absent bracketed key',
      path: 'metadata.annotations["absent"]',
      change: () => 'made',
      document: { metadata: { annotations: {} } },
      want: { metadata: { annotations: {} } },
    },
    {
      name: 'undefined against null, where absent keys are visited',
      path: 'metadata.annotations["undefined-key"]',
      change: (value) => (value === undefined ? 'was-undefined-value' : 'was-null'),
      document: { metadata: { annotations: {} } },
      want: { metadata: { annotations: { 'undefined-key': 'was-undefined-value' } } },
      options: { absentKeys: 'visit' },
    },
    {
      name: 'null, where absent keys are visited',
      path: 'metadata.annotations["null-key"]',
      change: (value) => (value === undefined ? 'was-undefined-value' : 'was-null'),
      document: { metadata: { annotations: { 'null-key': null } } },
      want: { metadata: { annotations: { 'null-key': 'was-null' } } },
      options: { absentKeys: 'visit' },
    },
    ...['a.*', 'a[*]', 'a["*"]'].map((path) => ({
      name: 'a wildcard at the end, of a map: every value',
      path,
      change: prefixed,
      document: { a: { x: '1', y: '2' } },
      want: { a: { x: 'vcluster.1', y: 'vcluster.2' } },
    })),
    ...['list.*', 'list[*]'].map((path) => ({
      name: 'a wildcard at the end, of a list: every element',
      path,
      change: prefixed,
      document: { list: ['1', '2'] },
      want: { list: ['vcluster.1', 'vcluster.2'] },
    })),
    {
      name: 'a plain key at the end that is absent',
      path: 'a.absent',
      change: () => 'made',
      document: { a: { x: '1' } },
      want: { a: { x: '1' } },
    },
    {
      name: 'branches that lack a step are skipped, the others are not',
      path: 'servers[*].hosts[*].name',
      change: prefixed,
      document: {
        servers: [{ hosts: [{ name: 'a' }, {}] }, {}, null, 'x', { hosts: { b: { name: 'b' } } }],
      },
      want: {
        servers: [
          { hosts: [{ name: 'vcluster.a' }, {}] },
          {},
          null,
          'x',
          { hosts: { b: { name: 'vcluster.b' } } },
        ],
      },
    },
    ...['[2]', '[-1]', '[x]', '[1e0]'].map((index) => ({
      name: `no such index ${index}`,
      path: `list${index}`,
      change: () => 'changed',
      document: { list: ['a', 'b'] },
      want: { list: ['a', 'b'] },
    })),
    {
      name: 'a scalar in the middle',
      path: 'a.b.c',
      change: () => 'changed',
      document: { a: { b: 'scalar' } },
      want: { a: { b: 'scalar' } },
    },
    {
      name: 'null removes keys',
      path: 'a[*]',
      change: (value) => (value === 1 ? null : value),
      document: { a: { one: 1, two: 2 } },
      want: { a: { two: 2 } },
    },
    {
      name: 'null removes elements, and indexes stay those of the document',
      path: 'a[*]',
      change: (value) => (Number(value) % 2 === 0 ? null : Number(value) * 10),
      document: { a: [1, 2, 3, 4] },
      want: { a: [10, 30] },
    },
    {
      name: 'a prototype is never reached',
      path: 'a.__proto__.polluted',
      change: () => 'changed',
      document: { a: {} },
      want: { a: {} },
    },
  ]
  for (const one of cases) {
    it(`${one.name}: ${one.path} (facts 6.3, spec sync.patches.path)`, () => {
      expect(apply(one)).to.deep.equal(one.want)
    })
  }
})
