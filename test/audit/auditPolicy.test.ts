import { expect } from 'chai'
import { auditPolicy } from '../../apiserver/audit/auditPolicy.ts'
import type { AuditSettings } from '../../apiserver/audit/auditSettings.ts'
import type { AuditAttributes } from '../../apiserver/audit/auditRuleMatcher.ts'
import { namesProfile } from '../../apiserver/meta/names/namesProfile.ts'
import { pathRequest, request } from './support/events.ts'

const names = namesProfile({ domain: 'acme.dev' })
const group = 'management.acme.dev'

function decided(settings: AuditSettings, asked: AuditAttributes): string {
  const decision = auditPolicy(settings, names)(asked)
  return decision === undefined ? 'None' : `${decision.level} -${[...decision.omitted].join()}`
}

const write = (verb: string) => request({ verb })
const management = (resource: string, verb: string, subresource = '') =>
  request({ group, resource, verb, subresource })

describe('auditPolicy', () => {
  /** Records of levels 1 to 4. */
  const levels: readonly [string, AuditAttributes, readonly string[]][] = [
    ['a create', write('create'), ['Request', 'Request', 'Request', 'RequestResponse']],
    ['an update', write('update'), ['Metadata', 'Metadata', 'Request', 'RequestResponse']],
    ['a patch', write('patch'), ['Metadata', 'Metadata', 'Request', 'RequestResponse']],
    ['a delete', write('delete'), ['Metadata', 'Metadata', 'Request', 'RequestResponse']],
    [
      'deletecollection',
      write('deletecollection'),
      ['Metadata', 'Metadata', 'Request', 'RequestResponse'],
    ],
    ['a get', write('get'), ['None', 'Metadata', 'Metadata', 'RequestResponse']],
    ['a list', write('list'), ['None', 'Metadata', 'Metadata', 'RequestResponse']],
    ['a watch', write('watch'), ['None', 'Metadata', 'Metadata', 'RequestResponse']],
    [
      'a POST outside the API',
      pathRequest('/auth/login', 'post'),
      ['Metadata', 'Metadata', 'Metadata', 'Metadata'],
    ],
    ['a GET outside the API', pathRequest('/auth/x'), ['None', 'None', 'None', 'Metadata']],
    ['a probe', pathRequest('/readyz/ping'), ['None', 'None', 'None', 'None']],
    ['discovery', pathRequest('/apis'), ['None', 'None', 'None', 'None']],
  ]
  for (const [name, asked, want] of levels) {
    it(`levels 1 to 4 of ${name}: ${want.join(', ')} (facts 1.7)`, () => {
      const found = [1, 2, 3, 4].map((level) => decided({ level }, asked))
      const omitted = (level: string) => (level === 'None' ? level : `${level} -RequestReceived`)
      expect(found).to.deep.equal(want.map(omitted))
    })
  }

  const builtIn: readonly [string, AuditAttributes, string][] = [
    ...[
      'selfsubjectaccessreviews',
      'subjectaccessreviews',
      'agentauditevents',
      'licensetokens',
      'directclusterendpointtokens',
      'ingressauthtokens',
      'selves',
    ].map((name): [string, AuditAttributes, string] => [name, management(name, 'create'), 'None']),
    [
      'a review of the built-in group',
      request({
        group: 'authorization.k8s.io',
        resource: 'selfsubjectaccessreviews',
        verb: 'create',
      }),
      'None',
    ],
    ...['ownedaccesskeys', 'resetaccesskeys', 'sharedsecrets', 'clusters'].map(
      (name): [string, AuditAttributes, string] => [name, management(name, 'create'), 'Metadata'],
    ),
    ['users/profile', management('users', 'create', 'profile'), 'Metadata'],
    ['kubeconfigs made', management('virtualclusterinstances', 'create', 'kubeconfig'), 'Metadata'],
    ['kubeconfigs read', management('virtualclusterinstances', 'get', 'kubeconfig'), 'None'],
    [
      'snapshotcredentials',
      management('virtualclusterinstances', 'create', 'snapshotcredentials'),
      'Metadata',
    ],
    ['logs', request({ resource: 'pods', subresource: 'log' }), 'Metadata'],
    ['exec', request({ resource: 'pods', subresource: 'exec', verb: 'create' }), 'Metadata'],
    ['an update of a shared secret', management('sharedsecrets', 'update'), 'RequestResponse'],
  ]
  for (const [name, asked, want] of builtIn) {
    it(`built-in rules precede those of a level: ${name}: ${want} (facts 1.7)`, () => {
      const wanted = want === 'None' ? want : `${want} -RequestReceived`
      expect(decided({ level: 4 }, asked)).to.equal(wanted)
    })
  }

  it('defaults to level 1 without level and policy', () => {
    expect(decided({}, write('get'))).to.equal('None')
    expect(decided({}, write('create'))).to.equal('Request -RequestReceived')
    expect(decided({ level: 0, policy: { rules: [] } }, write('create'))).to.equal(
      'Request -RequestReceived',
    )
  })

  it('the first matching rule wins; without one nothing is recorded (spec config.audit.policy.rules)', () => {
    const policy = {
      rules: [
        { level: 'None', users: ['bob'], verbs: ['get'] },
        { level: 'RequestResponse', verbs: ['get', 'list'] },
      ],
    }
    expect(decided({ policy }, write('get'))).to.equal('None')
    expect(decided({ policy }, write('list'))).to.equal('RequestResponse -')
    expect(decided({ policy }, write('delete'))).to.equal('None')
  })

  it('rules of a policy replace all built-in rules (facts 1.7)', () => {
    const policy = { rules: [{ level: 'RequestResponse' }] }
    expect(decided({ policy }, management('selves', 'create'))).to.equal('RequestResponse -')
  })

  it('a policy and a rule can omit stages (spec config.audit.policy.omitStages)', () => {
    const policy = {
      omitStages: ['RequestReceived'],
      rules: [
        { level: 'Metadata', verbs: ['watch'], omitStages: ['ResponseStarted'] },
        { level: 'Metadata' },
      ],
    }
    expect(decided({ policy }, write('watch'))).to.equal(
      'Metadata -RequestReceived,ResponseStarted',
    )
    expect(decided({ policy }, write('get'))).to.equal('Metadata -RequestReceived')
  })

  it('a policy with only stages keeps the rules of level 1', () => {
    const policy = { omitStages: ['Panic'] }
    expect(decided({ policy }, write('delete'))).to.equal('Metadata -RequestReceived,Panic')
  })
})
