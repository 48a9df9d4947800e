import type { AuditEvent } from '../../../apiserver/audit/auditEvent.ts'
import type { AuditAttributes } from '../../../apiserver/audit/auditRuleMatcher.ts'

/** Event that differs from others in its number. */
export function event(number: number, more: Partial<AuditEvent> = {}): AuditEvent {
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: `id-${number}`,
    stage: 'ResponseComplete',
    requestURI: '/version',
    verb: 'get',
    user: { username: 'bob' },
    requestReceivedTimestamp: '2030-01-01T00:00:00.000000Z',
    stageTimestamp: '2030-01-01T00:00:00.000000Z',
    ...more,
  }
}

/** Get of the core secret `team/one` by bob, a member of the group devs, unless overridden. */
export function request(more: Partial<AuditAttributes> = {}): AuditAttributes {
  return {
    user: { name: 'bob', uid: '', groups: ['devs', 'system:authenticated'], extra: {} },
    verb: 'get',
    isResource: true,
    group: '',
    resource: 'secrets',
    subresource: '',
    namespace: 'team',
    name: 'one',
    path: '/api/v1/namespaces/team/secrets/one',
    target: 'Management',
    cluster: '',
    ...more,
  }
}

/** Request outside of the API. */
export function pathRequest(path: string, verb = 'get'): AuditAttributes {
  const none = { isResource: false, group: '', resource: '', namespace: '', name: '' }
  return request({ ...none, path, verb })
}
