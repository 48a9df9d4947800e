import { expect } from 'chai'
import { once } from 'node:events'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { AuditEvent } from '../../../apiserver/audit/auditEvent.ts'
import { AuditLog } from '../../../apiserver/audit/auditLog.ts'
import { namesProfile } from '../../../apiserver/meta/names/namesProfile.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { loggedIds, useFolder } from '../../audit/support/temporaryFolder.ts'
import { readFile } from 'node:fs/promises'
import { audited } from '../support/auditedServer.ts'
import { openChainServer } from '../support/chainServer.ts'
import { management, namespaces, openBob, users, type TestServer } from '../support/testServer.ts'

const everything = { policy: { rules: [{ level: 'RequestResponse' }] } }
const noted = (events: readonly AuditEvent[]) =>
  events.map(({ verb, level, stage, responseStatus }) =>
    [verb, level, stage, responseStatus?.code].join(' '),
  )
const ofUser = (events: readonly AuditEvent[]) =>
  events.filter(({ objectRef }) => objectRef?.resource === 'users')

describe('audit', () => {
  const shape = { metadata: { name: 'eve' }, spec: { displayName: 'Eve' } }

  it('an event has user, verb, source, object and result (spec config.audit.enabled)', async () => {
    let made: unknown
    const { events } = await audited(everything, async ({ admin }) => {
      const headers = {
        'user-agent': 'kubectl',
        'audit-id': 'my-id',
        'x-forwarded-for': '10.1.1.1, junk',
      }
      made = (await admin.post(`${users}?fieldManager=me`, shape, headers)).json
    })
    const [received, complete] = events
    expect(complete).to.deep.equal({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'RequestResponse',
      auditID: 'my-id',
      stage: 'ResponseComplete',
      requestURI: `${users}?fieldManager=me`,
      verb: 'create',
      user: complete?.user,
      sourceIPs: ['10.1.1.1', '127.0.0.1'],
      userAgent: 'kubectl',
      objectRef: {
        resource: 'users',
        name: 'eve',
        apiGroup: 'management.platform',
        apiVersion: 'v1',
      },
      responseStatus: { metadata: {}, code: 201 },
      requestObject: shape,
      responseObject: made,
      requestReceivedTimestamp: received?.requestReceivedTimestamp,
      stageTimestamp: complete?.stageTimestamp,
      annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
    })
    expect([complete?.user.username, complete?.user.groups?.[0]]).to.deep.equal([
      'admin',
      'system:masters',
    ])
    expect(complete?.stageTimestamp).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    expect(noted(events)).to.deep.equal([
      'create RequestResponse RequestReceived ',
      'create RequestResponse ResponseComplete 201',
    ])
    const { responseStatus: _status, requestObject: _object, ...rest } = received ?? {}
    expect(rest).to.deep.equal(received)
  })

  const everyVerb = async ({ admin }: TestServer) => {
    await admin.get('/version')
    await admin.post(users, shape)
    await admin.get(`${users}/eve`)
    await admin.patch(`${users}/eve`, 'merge-patch+json', { spec: { displayName: 'E' } })
    await admin.get(users)
    await admin.delete(`${users}/eve`)
  }
  const bodies = (events: readonly AuditEvent[]) =>
    events.map(({ verb, requestObject, responseObject }) =>
      [verb, requestObject && 'request', responseObject && 'response'].filter(Boolean).join(' '),
    )
  const levels: readonly [number, readonly string[]][] = [
    [1, ['create request', 'patch', 'delete']],
    [2, ['create request', 'get', 'patch', 'list', 'delete']],
    [3, ['create request', 'get', 'patch request', 'list', 'delete']],
    [
      4,
      [
        'create request response',
        'get response',
        'patch request response',
        'list response',
        'delete',
      ],
    ],
  ]
  for (const [level, want] of levels) {
    it(`level ${level} records ${want.join(', ')} (facts 1.7)`, async () => {
      const { events } = await audited({ level }, everyVerb)
      expect(bodies(events)).to.deep.equal(want)
    })
  }

  it('a watch has a start and an end event, also over a websocket', async () => {
    const query = '?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dnobody'
    const { events } = await audited(everything, async ({ admin, running }) => {
      await admin.get(users + query)
      const url = `${String(running.insecureUrl).replace('http', 'ws')}${users}${query}`
      const socket = new WebSocket(url, {
        headers: { authorization: String(admin.headers['authorization']) },
      })
      await once(socket, 'close')
    })
    const stages = (code: number) => [
      'watch RequestResponse RequestReceived ',
      `watch RequestResponse ResponseStarted ${code}`,
      `watch RequestResponse ResponseComplete ${code}`,
    ]
    expect(noted(events)).to.deep.equal([...stages(200), ...stages(101)])
    expect(events.some(({ responseObject }) => responseObject !== undefined)).to.equal(false)
  })

  it('omits stages', async () => {
    const policy = {
      rules: [{ level: 'Metadata' }],
      omitStages: ['RequestReceived', 'ResponseComplete'],
    }
    const { events } = await audited({ policy }, async ({ admin }) => {
      await admin.get(`${users}?watch=true&timeoutSeconds=1`)
      await admin.get(users)
    })
    expect(noted(events)).to.deep.equal(['watch Metadata ResponseStarted 200'])
  })

  it('records failed authentication and authorization', async () => {
    const { events } = await audited({ level: 2 }, async (server) => {
      await server.admin.with({ authorization: 'Bearer nonsense' }).get(`${users}/x`)
      const bob = await openBob(server)
      await bob.delete(`${users}/admin`)
    })
    const [refused] = events
    expect([
      refused?.user,
      refused?.responseStatus?.code,
      refused?.responseStatus?.reason,
    ]).to.deep.equal([{}, 401, 'Unauthorized'])
    const forbidden = events.at(-1)
    expect(forbidden?.user.username).to.not.equal(undefined)
    expect([
      forbidden?.verb,
      forbidden?.responseStatus?.code,
      forbidden?.annotations?.['authorization.k8s.io/decision'],
    ]).to.deep.equal(['delete', 403, 'forbid'])
  })

  it('a rule for users matches the impersonated user, and the event has both', async () => {
    const policy = {
      rules: [{ level: 'Metadata', users: ['admin'] }],
      omitStages: ['RequestReceived'],
    }
    const { events } = await audited({ policy }, async ({ admin }) => {
      const as = { 'impersonate-user': 'carol', 'impersonate-group': 'system:masters' }
      await admin.get(`${users}/admin`, as)
    })
    expect(
      events.map(({ user, impersonatedUser }) => [user.username, impersonatedUser]),
    ).to.deep.equal([
      ['admin', { username: 'carol', groups: ['system:masters', 'system:authenticated'] }],
    ])
  })

  it('omits bodies over 2 MiB, and says so', async () => {
    const spec = { displayName: 'x'.repeat(2 * 1024 * 1024) }
    const { events } = await audited({ level: 4 }, async ({ admin }) => {
      await admin.post(users, { metadata: { name: 'large' }, spec })
      await admin.get(`${users}/large`)
      await admin.get(users)
    })
    expect(bodies(ofUser(events))).to.deep.equal(['create', 'get', 'list'])
    expect(
      ofUser(events).map(({ annotations }) => annotations?.['audit.k8s.io/truncated']),
    ).to.deep.equal(['true', 'true', 'true'])
    expect(events[0]?.objectRef?.name).to.equal('large')
  })

  it('records a request refused by the deadline filter, and one whose client disconnected', async () => {
    const { events } = await audited(everything, async ({ admin }) => {
      await admin.get(`${users}?timeout=nonsense`)
      const response = await admin.open(`${users}?watch=true`)
      response.destroy()
    })
    expect(noted(events).filter((line) => !line.includes('Received'))).to.deep.equal([
      'list RequestResponse ResponseComplete 400',
      'watch RequestResponse ResponseStarted 200',
      'watch RequestResponse ResponseComplete 200',
    ])
  })

  it('spec Config: settings take effect without a restart', async () => {
    const configs = `${management}/configs`
    const { events } = await audited({ level: 1 }, async ({ admin }) => {
      await admin.post(users, { metadata: { name: 'one' } })
      const name = String((await admin.get(configs)).field('items', 0, 'metadata', 'name'))
      const raw = Buffer.from('audit: { enabled: false }').toString('base64')
      const put = await admin.patch(`${configs}/${name}`, 'merge-patch+json', { spec: { raw } })
      expect(put.status, put.text).to.equal(200)
      await admin.post(users, { metadata: { name: 'two' } })
    })
    expect(ofUser(events).map(({ objectRef }) => objectRef?.name)).to.deep.equal(['one'])
  })

  it('counts events in the metrics', async () => {
    let text = ''
    await audited({ level: 1 }, async ({ admin }) => {
      await admin.post(users, shape)
      text = (await admin.get('/metrics')).text
    })
    expect(text).to.match(/^apiserver_audit_event_total 1$/m)
    expect(text).to.match(/^apiserver_audit_error_total\{plugin="log"\} 0$/m)
    expect(text).to.match(/^apiserver_audit_requests_rejected_total 0$/m)
  })

  it('a namespace is its own name and namespace', async () => {
    const { events } = await audited({ level: 1 }, ({ admin }) =>
      admin.post(namespaces, { metadata: { name: 'n' } }),
    )
    expect(events.map(({ objectRef }) => objectRef)).to.deep.equal([
      { resource: 'namespaces', name: 'n', apiVersion: 'v1' },
    ])
  })
})

describe('audit of a failing request', () => {
  const folder = useFolder()

  it('has the stage Panic', async () => {
    const path = join(folder(), 'audit.log')
    const settings = { enabled: true, path, policy: { rules: [{ level: 'Metadata' }] } }
    const clock = new FakeClock()
    const audit = new AuditLog({ settings, clock, names: namesProfile(), report: () => undefined })
    const fails = async () => {
      throw new TypeError('a bug')
    }
    const server = await openChainServer({ audit, serveDocument: fails })
    await server.as('bob').get('/x', { 'audit-id': 'one' })
    await server.close()
    await audit.close()
    const text = await readFile(path, 'utf8')
    const events = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEvent)
    expect(noted(events)).to.deep.equal(['get Metadata RequestReceived ', 'get Metadata Panic 500'])
    expect(await loggedIds(folder())).to.deep.equal(['one', 'one'])
  })
})
