import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TokenBuckets } from '../../apiserver/admission/plugins/events/tokenBuckets.ts'
import { readAdmissionConfiguration } from '../../apiserver/platform/admission/admissionConfiguration.ts'
import { realClock } from '../../apiserver/runtime/realClock.ts'
import { openTestServer, type TestServer } from '../endpoints/support/testServer.ts'

const version = 'eventratelimit.admission.k8s.io/v1alpha1'
const began = Date.now()
const events = '/api/v1/namespaces/default/events'

/** Source: seen on kube-apiserver 1.37.2. */
describe('EventRateLimit', () => {
  let folder: string
  let server: TestServer
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'events-'))
    const limits = [
      { type: 'Namespace', qps: 1, burst: 1_000 },
      { type: 'User', qps: 1, burst: 4 },
      { type: 'SourceAndObject', qps: 1, burst: 2 },
    ]
    // A path is relative to the file that names it.
    await writeFile(
      join(folder, 'limits.yaml'),
      JSON.stringify({ apiVersion: version, kind: 'Configuration', limits }),
    )
    const file = join(folder, 'admission.yaml')
    await writeFile(
      file,
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n' +
        'plugins:\n- {name: EventRateLimit, path: limits.yaml}\n',
    )
    server = await openTestServer(
      { enableAdmissionPlugins: ['EventRateLimit'], admissionControlConfigFile: file },
      // No token is refilled, however slow the machine is.
      { clock: { ...realClock, now: () => began } },
    )
  })
  after(async () => {
    await server.running.stop()
    await rm(folder, { recursive: true })
  })

  const event = (name: string, of: string) => ({
    metadata: { name },
    involvedObject: { kind: 'Pod', namespace: 'default', name: of, uid: 'u', apiVersion: 'v1' },
    source: { component: 'c', host: 'h' },
  })

  it('refuses events beyond the allowance of their source and user with 429, and never refuses other writes', async () => {
    const { admin } = server
    // Dry runs are free.
    for (const name of ['d1', 'd2', 'd3', 'd4', 'd5']) {
      const answer = await admin.post(`${events}?dryRun=All`, event(name, 'a'))
      expect(answer.status).to.equal(201)
    }
    // The user's allowance is four, and refused writes count, too.
    const answers: [number, unknown, unknown][] = []
    for (const name of ['e1', 'e2', 'e3', 'e4', 'e5']) {
      const answer = await admin.post(events, event(name, 'a'))
      answers.push([answer.status, answer.field('reason'), answer.field('message')])
      expect(answer.field('details')).to.equal(undefined)
    }
    const bySource = 'limit reached on type SourceAndObject for key chPoddefaultauv1'
    const byUser = 'limit reached on type User for key admin'
    expect(answers).to.deep.equal([
      [201, undefined, undefined],
      [201, undefined, undefined],
      [429, 'TooManyRequests', `Too many requests: ${bySource}`],
      [429, 'TooManyRequests', `Too many requests: ${bySource}`],
      [429, 'TooManyRequests', `Too many requests: [${byUser}, ${bySource}]`],
    ])
    const newer = await admin.post('/apis/events.k8s.io/v1/namespaces/default/events', {
      metadata: { name: 'newer' },
      ...{ eventTime: '2026-01-01T00:00:00.000000Z', action: 'a', reason: 'r', type: 'Normal' },
      reportingController: 'c.io/c',
      reportingInstance: 'i',
      regarding: { kind: 'Pod', namespace: 'default', name: 'a' },
    })
    expect(newer.status, newer.text).to.equal(201)
    const deleted = await admin.delete(`${events}/e1`)
    expect(deleted.status).to.equal(200)
  })

  const refused = [
    {
      title: 'no configuration',
      file: undefined,
      message:
        'failed to apply admission: couldn\'t init admission plugin "EventRateLimit": limits: Invalid value: null: must not be empty',
    },
    {
      title: 'limits of other types and values',
      file: inline({
        apiVersion: version,
        kind: 'Configuration',
        limits: [
          { type: 'Server', qps: 0, burst: -1, cacheSize: -5 },
          { type: 'Other', qps: 1, burst: 1, cacheSize: -5 },
        ],
      }),
      message:
        'failed to apply admission: couldn\'t init admission plugin "EventRateLimit": [limits[0].burst: Invalid value: -1: must be positive, limits[0].qps: Invalid value: 0: must be positive, limits[1].type: Unsupported value: "Other": supported values: "Server", "Namespace", "User", "SourceAndObject", limits[1].cacheSize: Invalid value: -5: must not be negative]',
    },
    {
      title: 'limits that are no numbers',
      file: inline({
        apiVersion: version,
        kind: 'Configuration',
        limits: [{ type: 'Server', qps: 'x', burst: 1 }],
      }),
      message:
        'failed to apply admission: couldn\'t init admission plugin "EventRateLimit": json: cannot unmarshal string into Go struct field Limit.limits.qps of type int32',
    },
    {
      title: 'another kind',
      file: inline({ apiVersion: version, kind: 'Other' }),
      message: `failed to apply admission: couldn't init admission plugin "EventRateLimit": no kind "Other" is registered for version "${version}"`,
    },
    {
      title: 'an unknown field',
      file: { ...inline({}), more: 1 },
      message:
        'failed to apply admission: failed to read plugin config: strict decoding error: unknown field "more"',
    },
    {
      title: 'a plugin whose configuration has no effect here',
      file: { ...inline({}), plugins: [{ name: 'PodSecurity', configuration: {} }] },
      message: 'FILE: a configuration of the admission plugin PodSecurity is not supported',
    },
  ]
  for (const { title, file, message } of refused) {
    it(`does not start with ${title}`, async () => {
      const path = join(folder, `${title.replaceAll(' ', '-')}.json`)
      if (file !== undefined) await writeFile(path, JSON.stringify(file))
      const given = file === undefined ? undefined : path
      const why = await readAdmissionConfiguration(given, () => true).then(
        () => 'accepted',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      )
      expect(why.replace(path, 'FILE')).to.equal(message)
    })
  }

  it('refills an allowance over time, and forgets the groups that have been idle longest', () => {
    let now = 0
    const buckets = new TokenBuckets(
      { qps: 2, burst: 2, cacheSize: 2 },
      { now: () => now, setTimer: () => ({ cancel: () => undefined }) },
    )
    const takes = (key: string, count: number) =>
      Array.from({ length: count }, () => buckets.take(key))
    expect(takes('a', 3)).to.deep.equal([true, true, false])
    now = 500
    expect(takes('a', 2)).to.deep.equal([true, false])
    now = 10_000
    expect(takes('a', 3)).to.deep.equal([true, true, false])
    now = 9_000
    expect(takes('a', 1)).to.deep.equal([false])
    takes('b', 1)
    takes('c', 1)
    expect(takes('a', 1)).to.deep.equal([true])
  })
})

function inline(configuration: object): object {
  return {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: [{ name: 'EventRateLimit', configuration }],
  }
}
