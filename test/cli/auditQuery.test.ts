import { expect } from 'chai'
import { auditQuery } from '../../cli/audit/auditStore.ts'

describe('auditQuery', () => {
  it('passes every value as a parameter', () => {
    const hostile = `'; DROP TABLE audit_events; --`
    const filter = { user: hostile, verb: 'get', code: '4xx', since: Date.UTC(2026, 0, 1) }
    expect(auditQuery(filter, 5)).to.deep.equal({
      text: "SELECT event FROM audit_events WHERE event->'user'->>'username' = $1 AND event->>'verb' = $2 AND event->'responseStatus'->>'code' LIKE $3 AND stage_time >= $4 ORDER BY stage_time DESC, id DESC LIMIT $5",
      values: [hostile, 'get', '4__', '2026-01-01T00:00:00.000Z', 5],
    })
  })

  it('asks for the newest without a filter', () => {
    expect(auditQuery({}, 100)).to.deep.equal({
      text: 'SELECT event FROM audit_events ORDER BY stage_time DESC, id DESC LIMIT $1',
      values: [100],
    })
  })
})
