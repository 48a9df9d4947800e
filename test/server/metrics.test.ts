import { expect } from 'chai'
import { definitionsPath, widgetDefinition, widgetsPath } from '../support/definitions.ts'
import { waitUntil } from '../support/waitUntil.ts'
import { RawSocket } from '../endpoints/support/rawSocket.ts'
import { openBob, users, useTestServer, type TestServer } from '../endpoints/support/testServer.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'

/** Start of a line about writes of config maps. */
function labelled(name: string, verb: string, more: string): string {
  const scope = verb === 'POST' || verb === 'DELETECOLLECTION' ? 'namespace' : 'resource'
  return `${name}{verb="${verb}",group="",version="v1",resource="configmaps",subresource="",scope="${scope}",component="apiserver"${more}`
}

describe('/metrics', () => {
  const server = useTestServer()
  const lines = async () => (await server().admin.get('/metrics')).text.split('\n')

  it('has the results of health checks at /metrics/slis', async () => {
    await server().admin.get('/readyz')
    const { status, text } = await server().admin.get('/metrics/slis')
    expect(status).to.equal(200)
    expect(text).to.contain('kubernetes_healthcheck{name="etcd",type="readyz"} 1\n')
  })

  it('is in Prometheus text format, with the names of the API machinery (reference 6.8)', async () => {
    await server().admin.get(users)
    const answer = await server().admin.get('/metrics')
    expect([answer.status, answer.headers['content-type']]).to.deep.equal([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    const names = [
      'apiserver_request_total',
      'apiserver_request_duration_seconds',
      'apiserver_request_sli_duration_seconds',
      'apiserver_response_sizes',
      'apiserver_longrunning_requests',
      'apiserver_current_inflight_requests',
      'apiserver_current_inqueue_requests',
      'apiserver_request_terminations_total',
      'apiserver_request_aborts_total',
      'apiserver_request_post_timeout_total',
      'apiserver_requested_deprecated_apis',
      'apiserver_watch_events_total',
      'apiserver_watch_events_sizes',
      'apiserver_request_filter_duration_seconds',
      'apiserver_tls_handshake_errors_total',
      'authenticated_user_requests',
      'authentication_attempts',
      'authentication_duration_seconds',
      'authorization_attempts_total',
      'authorization_duration_seconds',
      'apiserver_storage_objects',
      'apiserver_resource_objects',
      'etcd_request_duration_seconds',
      'apiserver_watch_cache_events_dispatched_total',
      'apiserver_terminated_watchers_total',
      'process_cpu_seconds_total',
    ]
    for (const name of names) expect(answer.text).to.include(`# TYPE ${name} `)
  })

  it('counts requests by verb, resource, scope, dryRun and code (reference 6.8)', async () => {
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

  const valueOf = async (start: string) =>
    Number(
      (await lines())
        .find((line) => line.startsWith(start))
        ?.split(' ')
        .at(-1) ?? 0,
    )

  const podPath = '/api/v1/namespaces/default/pods/none'
  const grown: [string, string, (server: TestServer) => Promise<unknown>][] = [
    [
      'apply by its own verb',
      'apiserver_request_total{verb="APPLY",group="",version="v1",resource="configmaps"',
      ({ admin }) =>
        admin.patch(`${configMaps}/applied?fieldManager=m`, 'apply-patch+yaml', {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'applied' },
        }),
    ],
    [
      'what opens a connection by its own verb',
      'apiserver_request_total{verb="CONNECT",group="",version="v1",resource="pods",subresource="exec"',
      ({ admin }) => admin.post(`${podPath}/exec?command=ls`, ''),
    ],
    [
      'bytes of answers to reads',
      'apiserver_response_sizes_count{verb="GET",group="management.platform",version="v1",resource="users"',
      ({ admin }) => admin.get(`${users}/admin`),
    ],
    [
      'authentication that fails',
      'authentication_attempts{result="failure"}',
      ({ admin }) => admin.with({ authorization: 'Bearer wrong' }).get(users),
    ],
    [
      'authentication that succeeds',
      'authentication_duration_seconds_count{result="success"}',
      ({ admin }) => admin.get(users),
    ],
    [
      'users by what sort of name they have',
      'authenticated_user_requests{username="admin"}',
      ({ admin }) => admin.get(users),
    ],
    [
      'authorization that allows',
      'authorization_attempts_total{result="allowed"}',
      ({ admin }) => admin.get(users),
    ],
    [
      'authorization that refuses',
      'authorization_attempts_total{result="denied"}',
      async (server) => (await openBob(server, 'counted')).post(configMaps, {}),
    ],
    [
      'time of filters',
      'apiserver_request_filter_duration_seconds_count{filter="authorization"}',
      ({ admin }) => admin.get(users),
    ],
    [
      'time to write',
      'etcd_request_duration_seconds_count{operation="txn"',
      ({ admin }) => admin.post(configMaps, { metadata: { generateName: 'a-' } }),
    ],
    [
      'changes for watchers',
      'apiserver_watch_cache_events_dispatched_total{group="",resource="configmaps"}',
      async ({ admin }) => {
        await admin.get(configMaps)
        await admin.post(configMaps, { metadata: { generateName: 'a-' } })
      },
    ],
    [
      'events that watchers were sent',
      'apiserver_watch_events_total{group="management.platform",version="v1",resource="users"}',
      ({ admin }) => admin.get(`${users}?watch=1&timeoutSeconds=1`),
    ],
    [
      'handshakes that fail',
      'apiserver_tls_handshake_errors_total',
      async ({ running }) => {
        const socket = await RawSocket.open(Number(new URL(running.url).port))
        socket.write('no handshake\r\n\r\n')
        await socket.untilClosed()
      },
    ],
  ]
  for (const [what, line, act] of grown) {
    it(`counts ${what} (reference 6.8)`, async () => {
      const before = await valueOf(line)
      await act(server())
      expect(await valueOf(line)).to.be.greaterThan(before)
    })
  }

  for (const [verb, method, path] of [
    ['POST', 'POST', configMaps],
    ['PUT', 'PUT', `${configMaps}/left`],
    ['PATCH', 'PATCH', `${configMaps}/left`],
    ['DELETE', 'DELETE', `${configMaps}/left`],
    ['DELETECOLLECTION', 'DELETE', configMaps],
  ] as const) {
    it(`counts a ${verb} whose client left while sending the body as failed and aborted`, async () => {
      const { running } = server()
      const counts = async () => ({
        failed: await valueOf(labelled('apiserver_request_total', verb, ',dry_run="",code="500"')),
        ended: await valueOf(labelled('apiserver_request_terminations_total', verb, ',code="504"')),
        aborted: await valueOf(labelled('apiserver_request_aborts_total', verb, '')),
      })
      const before = await counts()
      const socket = await RawSocket.open(Number(new URL(running.insecureUrl ?? '').port))
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${running.adminAccessKey}\r\n` +
          `Content-Type: application/${verb === 'PATCH' ? 'merge-patch+json' : 'json'}\r\nContent-Length: 500\r\n` +
          'Expect: 100-continue\r\n\r\n{"a"',
      )
      await socket.until('100 Continue')
      socket.close()
      await waitUntil(async () => (await counts()).aborted > before.aborted)
      expect(await counts()).to.deep.equal({
        failed: before.failed + 1,
        ended: before.ended + 1,
        aborted: before.aborted + 1,
      })
    })
  }

  it('counts running requests, including the scrape itself', async () => {
    const found = (await lines()).find((line) =>
      line.startsWith('apiserver_current_inflight_requests{request_kind="readOnly"}'),
    )
    expect(found).to.equal('apiserver_current_inflight_requests{request_kind="readOnly"} 1')
  })

  // Garbage collections create separate lines.
  const ownLines = async () => (await lines()).filter((line) => line.startsWith('apiserver_'))

  it('hostile paths, methods and options create no labels', async () => {
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

  it('has no duplicate lines, for any change of definitions and any number of versions', async () => {
    const { admin } = server()
    const path = `${definitionsPath}/widgets.example.com`
    for (const field of ['a', 'b']) {
      const properties = { [field]: { type: 'string' } }
      expect((await admin.post(definitionsPath, widgetDefinition({ properties }))).status).to.equal(
        201,
      )
      expect((await admin.get(widgetsPath)).status).to.equal(200)
      await admin.delete(path)
      await waitUntil(async () => (await admin.get(path)).status === 404)
    }
    for (const version of ['v1', 'v2'])
      await admin.get(`/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`)
    const series = (await ownLines()).map((line) => line.slice(0, line.lastIndexOf(' ')))
    const repeated = series.filter((one, at) => series.indexOf(one) !== at)
    expect(repeated).to.deep.equal([])
    expect(series.filter((one) => one.includes('"widgets"')).length).to.be.above(0)
  })
})
