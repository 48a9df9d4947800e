import { expect } from 'chai'
import { auditQuery } from '../../cli/audit/auditStore.ts'
import { Postgres, postgresFolder } from '../audit/support/postgres.ts'
import { useClientServer } from './support/clientServer.ts'

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

const programs = postgresFolder()
const suite = programs === undefined ? describe.skip : describe
const reason = programs === undefined ? ' (no PostgreSQL server is installed here)' : ''

suite(`audit query on PostgreSQL${reason}`, function () {
  this.timeout(90_000)
  const server = useClientServer()
  let postgres: Postgres | undefined

  before(async function () {
    this.timeout(90_000)
    if (programs === undefined) return
    postgres = await Postgres.open(programs)
    const { client } = server()
    const text = `audit: {enabled: true, level: 3, path: ${client.home}/audit.log, dataStoreEndpoint: "${postgres.endpoint}"}\n`
    await client.ok(['config', 'apply', '-f', client.file('audit.yaml', text)])
    await client.ok(['create', 'project', 'audited'])
    await client.fails(['get', 'project', 'missing'])
    await client.ok(['list', 'teams'])
  })
  after(() => postgres?.close())

  const query = (...args: string[]) => server().client.ok(['audit', 'query', ...args])
  /**
   * Waits for events, and before the first of them for their table, which are written a little
   * later.
   */
  const until = async (pattern: RegExp, ...args: string[]): Promise<string> => {
    for (;;) {
      const { code, stdout, stderr } = await server().client.run(['audit', 'query', ...args])
      if (code !== 0) expect(stderr).to.include('"audit_events" does not exist')
      if (pattern.test(stdout)) return stdout
    }
  }

  it('shows the events of requests, the newest last', async () => {
    const text = await until(/ teams +200\n/, '--user', 'admin', '--since', '1h')
    const lines = text.split('\n').map((line) => line.split(/ {2,}/).slice(1).join('|'))
    expect(lines[0]).to.equal('USER|VERB|OBJECT|CODE')
    const own = lines.filter((line) => /audited|missing|teams/.test(line))
    expect(own.slice(-4)).to.include.members([
      'admin|get|projects missing|404',
      'admin|list|teams|200',
    ])
    expect(own.findIndex((line) => line.includes('missing'))).to.be.lessThan(
      own.findIndex((line) => line.includes('teams')),
    )
  })

  const filters: [args: string[], object: string][] = [
    [['--code', '4xx', '--name', 'missing'], 'projects missing'],
    [['--verb', 'create', '--resource', 'projects'], 'projects audited'],
    [['--resource', 'teams', '--code', '200'], 'teams'],
  ]
  for (const [args, object] of filters)
    it(`finds ${object} by ${args.join(' ')}`, async () => {
      const text = await until(new RegExp(` ${object} +\\d+\\n`), ...args)
      const objects = text
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(/ {2,}/)[3])
      expect(new Set(objects)).to.deep.equal(new Set([object]))
    })

  it('prints events as they were recorded with -o json, at most --limit', async () => {
    await until(/teams/)
    const text = await query('-o', 'json', '--limit', '1', '--resource', 'teams')
    const lines = text.trimEnd().split('\n')
    expect(lines.length).to.equal(1)
    const event = JSON.parse(lines[0] ?? '') as Record<string, unknown>
    expect(event).to.deep.include({ kind: 'Event', verb: 'list', stage: 'ResponseComplete' })
  })

  it('finds nothing with the words of an attack, which are values only', async () => {
    expect(await query('--user', "' OR '1'='1")).to.equal('')
    await until(/teams/)
  })

  it('takes the address from the environment, without a login', async () => {
    const env = { PLATFORM_HOME: '/nonexistent', PLATFORM_AUDIT_STORE: postgres?.endpoint ?? '' }
    const text = await server().client.ok(['audit', 'query', '--resource', 'teams'], { env })
    expect(text).to.match(/admin +list +teams +200\n$/)
  })
})
