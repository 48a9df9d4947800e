import { expect } from 'chai'
import { users, useTestServer } from '../endpoints/support/testServer.ts'

describe('/metrics', () => {
  const server = useTestServer()
  const lines = async () => (await server().admin.get('/metrics')).text.split('\n')

  it('6.8: is Prometheus text, with the names of the API machinery', async () => {
    await server().admin.get(users)
    const answer = await server().admin.get('/metrics')
    expect([answer.status, answer.headers['content-type']]).to.deep.equal([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    const names = [
      'apiserver_request_total',
      'apiserver_request_duration_seconds',
      'apiserver_longrunning_requests',
      'apiserver_current_inflight_requests',
      'apiserver_storage_objects',
      'apiserver_resource_objects',
      'process_cpu_seconds_total',
    ]
    for (const name of names) expect(answer.text).to.include(`# TYPE ${name} `)
  })

  it('6.8: counts requests by verb, resource, scope, dryRun and code', async () => {
    const { admin } = server()
    const labels = (verb: string, scope: string, more: { code: number; dryRun?: string }) =>
      `apiserver_request_total{verb="${verb}",group="management.platform",version="v1",resource="users",subresource="",scope="${scope}",component="apiserver",dry_run="${more.dryRun ?? ''}",code="${more.code}"}`
    const count = async (line: string) =>
      Number((await lines()).find((text) => text.startsWith(line))?.split(' ')[1] ?? 0)
    const cases = [
      [() => admin.get(users), labels('LIST', 'cluster', { code: 200 })],
      [() => admin.get(`${users}/admin`), labels('GET', 'resource', { code: 200 })],
      [() => admin.get(`${users}/none`), labels('GET', 'resource', { code: 404 })],
      [
        () => admin.post(`${users}?dryRun=All`, { metadata: { name: 'm' } }),
        labels('POST', 'cluster', { code: 201, dryRun: 'All' }),
      ],
      [
        () => admin.get(`${users}?watch=1&timeoutSeconds=1`),
        labels('WATCH', 'cluster', { code: 200 }),
      ],
    ] as const
    for (const [call, line] of cases) {
      const before = await count(line)
      await call()
      expect(await count(line), line).to.equal(before + 1)
    }
  })

  it('counts what runs, and the reading of itself', async () => {
    const found = (await lines()).find((line) =>
      line.startsWith('apiserver_current_inflight_requests{request_kind="readOnly"}'),
    )
    expect(found).to.equal('apiserver_current_inflight_requests{request_kind="readOnly"} 1')
  })

  // Collections of garbage make lines of their own.
  const ownLines = async () => (await lines()).filter((line) => line.startsWith('apiserver_'))

  it('hostile paths, methods and options make no labels of their own', async () => {
    const { admin } = server()
    const nobody = admin.with({ authorization: 'Bearer wrong' })
    const hit = async (index: number) => {
      await Promise.all([
        nobody.get(`/apis/group${index}.dev/v1/things${index}/a/sub${index}`),
        nobody.get(`${users}/admin/sub${index}`),
        nobody.get(`/api/v1/namespaces/default/things${index}`),
        nobody.get(`/nothing${index}`),
        nobody.get(`${users}?dryRun=x${index}&watch=${index}`),
        admin.get(`${users}/admin/sub${index}`),
        admin.get(`${users}/name${index}`),
        nobody.call(`/api/v1/namespaces/a${index}`, { method: 'PROPFIND' }),
      ])
    }
    await hit(0)
    await hit(1)
    await lines()
    const before = await ownLines()
    for (let index = 2; index <= 20; index++) await hit(index)
    expect(await ownLines()).to.have.length(before.length)
  })
})
