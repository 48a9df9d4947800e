import { expect } from 'chai'
import type { Answer } from '../support/httpClient.ts'
import { useTestServer } from '../support/testServer.ts'

const time = '2030-01-01T00:00:00.000000Z'
const long = (length: number): string => 'a'.repeat(length)
const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const partText =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

describe('events of both APIs', () => {
  const server = useTestServer()
  const corePath = '/api/v1/namespaces/default/events'
  const newerPath = '/apis/events.k8s.io/v1/namespaces/default/events'

  /** Event with all fields of newer events. */
  const newerEvent = (name: string, rest: object = {}) => ({
    metadata: { name },
    eventTime: time,
    type: 'Normal',
    reason: 'r',
    action: 'a',
    reportingController: 'c',
    reportingInstance: 'i',
    regarding: { namespace: 'default' },
    ...rest,
  })
  const coreEvent = (name: string, rest: object = {}) => ({
    metadata: { name },
    involvedObject: { namespace: 'default' },
    ...rest,
  })

  for (const name of ['Foo.17ab', 'system:x.17ab', 'my_obj.17', '.a', '-a', 'ä', long(254)]) {
    it(`the core API accepts names that recorders make, such as ${name.slice(0, 20)}; the newer one refuses them`, async () => {
      const { admin } = server()
      expect((await admin.post(corePath, coreEvent(name))).status).to.equal(201)
      const refused = await admin.post(newerPath, newerEvent(name))
      const why = name.length > 253 ? 'must be no more than 253 characters' : subdomainText
      expect(causesOf(refused)).to.deep.equal([`metadata.name: Invalid value: "${name}": ${why}`])
    })
  }

  for (const [name, why] of [
    ['a/b', "may not contain '/'"],
    ['a%b', "may not contain '%'"],
    ['..', "may not be '..'"],
  ]) {
    it(`the core API refuses the name ${name ?? ''}, which fits no path`, async () => {
      const answer = await server().admin.post(corePath, coreEvent(name ?? ''))
      expect(causesOf(answer)).to.deep.equal([
        `metadata.name: Invalid value: "${name ?? ''}": ${why ?? ''}`,
      ])
    })
  }

  it('a core event with an event time requires its reporter, within length limits', async () => {
    const { admin } = server()
    const bare = await admin.post(corePath, coreEvent('bare', { eventTime: time }))
    expect(causesOf(bare)).to.deep.equal([
      'reportingComponent: Required value',
      'reportingComponent: Invalid value: "": name part must be non-empty',
      `reportingComponent: Invalid value: "": ${partText}`,
      'reportingInstance: Required value',
      'action: Required value',
      'reason: Required value',
    ])
    const texts = {
      eventTime: time,
      message: long(1025),
      reason: long(129),
      action: 'a',
      reportingComponent: 'a b',
      reportingInstance: long(129),
    }
    expect(causesOf(await admin.post(corePath, coreEvent('long', texts)))).to.deep.equal([
      `reportingComponent: Invalid value: "a b": ${partText}`,
      'reportingInstance: Invalid value: "": can have at most 128 characters',
      'reason: Invalid value: "": can have at most 128 characters',
      'message: Invalid value: "": can have at most 1024 characters',
    ])
  })

  it('a core event about a cluster-scoped object is in default, a newer one also in kube-system', async () => {
    const { admin } = server()
    const home = '/api/v1/namespaces/kube-system/events'
    const older = { metadata: { name: 'n' }, involvedObject: {} }
    expect(causesOf(await admin.post(home, older))).to.deep.equal([
      'involvedObject.namespace: Invalid value: "": does not match event.namespace',
    ])
    const said = { type: 'Odd', reason: 'r', action: 'a' }
    const who = { reportingComponent: 'c', reportingInstance: 'i' }
    const newer = { ...older, eventTime: time, series: {}, count: 3, ...said, ...who }
    expect((await admin.post(home, newer)).status).to.equal(201)
    expect((await admin.post(corePath, older)).status).to.equal(201)
  })

  it('the newer API continues a series of an event whose name it would refuse', async () => {
    const { admin } = server()
    const { regarding, reportingController, ...same } = newerEvent('Series.17')
    const event = { ...same, involvedObject: regarding, reportingComponent: reportingController }
    expect((await admin.post(corePath, event)).status).to.equal(201)
    const path = `${newerPath}/Series.17`
    const next = { series: { count: 2, lastObservedTime: time } }
    expect((await admin.patch(path, 'merge-patch+json', next)).status).to.equal(200)
    expect(causesOf(await admin.patch(path, 'merge-patch+json', { reason: 'x' }))).to.deep.equal([
      'reason: Invalid value: "x": field is immutable',
    ])
  })

  it('the newer API reports the namespace first, then the name, then missing fields', async () => {
    const event = { metadata: { name: 'Foo.1' }, regarding: { namespace: 'x' }, deprecatedCount: 1 }
    expect(causesOf(await server().admin.post(newerPath, event))).to.deep.equal([
      'involvedObject.namespace: Invalid value: "x": does not match event.namespace',
      `metadata.name: Invalid value: "Foo.1": ${subdomainText}`,
      'eventTime: Required value',
      'type: Invalid value: "": has invalid value: ',
      'count: Invalid value: "": needs to be unset',
    ])
  })
})

function causesOf(answer: Answer): string[] {
  // Fields of a Status; other responses yield undefined.
  const causes = (answer.field('details', 'causes') ?? []) as { field: string; message: string }[]
  return causes.map(({ field, message }) => `${field}: ${message}`)
}
