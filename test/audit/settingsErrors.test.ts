import { expect } from 'chai'
import type { AuditRule, AuditSettings } from '../../apiserver/audit/auditSettings.ts'
import { auditSettingsErrors } from '../../apiserver/audit/settingsErrors.ts'

const rule = (more: Partial<AuditRule>): AuditSettings => ({
  policy: { rules: [{ level: 'Metadata', ...more }] },
})
const at = 'audit.policy.rules[0]'

const cases: readonly [string, AuditSettings, readonly string[]][] = [
  ['nothing is fine', {}, []],
  [
    'all of it',
    {
      enabled: true,
      path: '/a',
      level: 4,
      maxAge: 1,
      maxBackups: 1,
      maxSize: 1,
      dataStoreTTL: 1,
      dataStoreEndpoint: 'postgres://u:p@h/d',
    },
    [],
  ],
  [
    'a path is needed',
    { enabled: true },
    ['audit.path: Required value: a path is needed when audit is enabled'],
  ],
  ['level 5', { level: 5 }, ['audit.level: Unsupported value: 5: supported values: 1, 2, 3, 4']],
  [
    'level and policy',
    { level: 1, policy: {} },
    ['audit.level: Forbidden: may not be used together with policy'],
  ],
  [
    'a negative number',
    { maxSize: -1 },
    ['audit.maxSize: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'another database',
    { dataStoreEndpoint: 'mysql://u:hidden@h/d' },
    [
      'audit.dataStoreEndpoint: Invalid value: "": must be a URL that begins with postgres:// or postgresql://',
    ],
  ],
  [
    'an unknown level',
    rule({ level: 'All' }),
    [
      `${at}.level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"`,
    ],
  ],
  [
    'an unknown stage',
    { policy: { omitStages: ['End'] } },
    [
      'audit.policy.omitStages[0]: Unsupported value: "End": supported values: "RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"',
    ],
  ],
  [
    'an unknown stage of a rule',
    rule({ omitStages: ['End'] }),
    [
      `${at}.omitStages[0]: Unsupported value: "End": supported values: "RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"`,
    ],
  ],
  [
    'contradiction 12: the targets of a scope are others',
    rule({ requestTargets: ['ProjectVirtualCluster'] }),
    [
      `${at}.requestTargets[0]: Unsupported value: "ProjectVirtualCluster": supported values: "Management", "Cluster", "VCluster", "ProjectSpace", "ProjectVCluster"`,
    ],
  ],
  [
    'names without resources',
    rule({ resourceNames: ['a'] }),
    [`${at}.resourceNames: Forbidden: may be used with resources only`],
  ],
  [
    'names in an entry without resources',
    rule({ resources: [{ group: '', resourceNames: ['a'] }] }),
    [
      `${at}.resources[0].resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource`,
    ],
  ],
  [
    'paths and resources',
    rule({ nonResourceURLs: ['/a'], resources: [{ group: '' }] }),
    [
      `${at}.nonResourceURLs: Forbidden: rules cannot apply to both regular resources and non-resource URLs`,
    ],
  ],
  [
    'paths and namespaces',
    rule({ nonResourceURLs: ['/a'], namespaces: [''] }),
    [
      `${at}.nonResourceURLs: Forbidden: rules cannot apply to both regular resources and non-resource URLs`,
    ],
  ],
  ['good paths', rule({ nonResourceURLs: ['*', '/a', '/a/*'] }), []],
  [
    'a path without slash',
    rule({ nonResourceURLs: ['a'] }),
    [
      `${at}.nonResourceURLs[0]: Invalid value: "a": non-resource URL rules must begin with a "/" character`,
    ],
  ],
  [
    'a star within a path',
    rule({ nonResourceURLs: ['/a*', '/*/b'] }),
    [0, 1].map(
      (n) =>
        `${at}.nonResourceURLs[${n}]: Invalid value: "${n === 0 ? '/a*' : '/*/b'}": * may only be used as the last step of a path`,
    ),
  ],
]

describe('auditSettingsErrors', () => {
  for (const [name, settings, want] of cases) {
    it(`${name} (spec config.audit.level, config.audit.path)`, () => {
      const found = auditSettingsErrors(settings, 'audit')
      expect(found.map(({ field, message }) => `${field}: ${message}`)).to.deep.equal(want)
    })
  }
})
