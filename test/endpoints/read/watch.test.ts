import { expect } from 'chai'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { users, useTestServer } from '../support/testServer.ts'

interface WatchEvent {
  type: string
  object: { kind: string; metadata: { name?: string; resourceVersion: string } } & Record<
    string,
    unknown
  >
}

/** Events of a stream, one at a time. */
async function* eventsOf(response: IncomingMessage): AsyncGenerator<WatchEvent, undefined> {
  let rest = ''
  // No encoding is set, so chunks are buffers.
  for await (const chunk of response) {
    const lines = (rest + (chunk as Buffer).toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as WatchEvent
  }
  return undefined
}

async function next(events: AsyncGenerator<WatchEvent, undefined>): Promise<WatchEvent> {
  const result = await events.next()
  if (result.value === undefined) throw new Error('the watch is over')
  return result.value
}

describe('a watch over HTTP', () => {
  const server = useTestServer()
  const newest = async (): Promise<string> =>
    String((await server().admin.get(users)).field('metadata', 'resourceVersion'))

  it('chunked, headers at once, one event a line, with kind and apiVersion (reference 5.3, spec meta.resourceVersion.watch)', async () => {
    const { admin } = server()
    const response = await admin.open(`${users}?watch=true&resourceVersion=${await newest()}`)
    const { statusCode, headers } = response
    expect([statusCode, headers['content-type'], headers['transfer-encoding']]).to.deep.equal([
      200,
      'application/json',
      'chunked',
    ])
    expect([headers['cache-control'], headers['content-length']]).to.deep.equal([
      'no-cache, private',
      undefined,
    ])
    const events = eventsOf(response)
    const made = await admin.post(users, { metadata: { name: 'w1' } })
    expect(await next(events)).to.deep.equal({ type: 'ADDED', object: made.json })
    const changed = await admin.patch(`${users}/w1`, 'merge-patch+json', { spec: { email: 'x' } })
    expect(await next(events)).to.deep.equal({ type: 'MODIFIED', object: changed.json })
    await admin.delete(`${users}/w1`)
    const gone = await next(events)
    expect([gone.type, gone.object.kind, gone.object.metadata.name]).to.deep.equal([
      'DELETED',
      'User',
      'w1',
    ])
    expect(Number(gone.object.metadata.resourceVersion)).to.be.greaterThan(
      Number(changed.field('metadata', 'resourceVersion')),
    )
    response.destroy()
  })

  const paths = [
    '?watch=true&fieldSelector=metadata.name%3Dadmin',
    '?watch=1&fieldSelector=metadata.name%3Dadmin&resourceVersion=0',
    '?watch&fieldSelector=metadata.name%3Dadmin',
    '?watch=yes&fieldSelector=metadata.name%3Dadmin&watch=false',
  ]
  for (const path of [
    ...paths.map((query) => users + query),
    users.replace('/v1/', '/v1/watch/') + '/admin',
  ]) {
    it(`${path} starts with the existing objects (reference 5.1, 5.2)`, async () => {
      const response = await server().admin.open(path)
      const first = await next(eventsOf(response))
      expect([first.type, first.object.metadata.name]).to.deep.equal(['ADDED', 'admin'])
      response.destroy()
    })
  }

  it('another field selector on the deprecated path of one object is 400 (reference 5.1)', async () => {
    const path = `${users.replace('/v1/', '/v1/watch/')}/admin?fieldSelector=metadata.name%3Dother`
    const answer = await server().admin.get(path)
    expect([answer.status, answer.field('message')]).to.deep.equal([
      400,
      "fieldSelector metadata.name doesn't match requested name",
    ])
  })

  it('timeoutSeconds ends the body cleanly (reference 5.1)', async () => {
    const answer = await server().admin.get(
      `${users}?watch=1&timeoutSeconds=1&resourceVersion=${await newest()}`,
    )
    expect([answer.status, answer.text]).to.deep.equal([200, ''])
  })

  for (const seconds of ['0', '5000000']) {
    it(`timeoutSeconds=${seconds} does not end it at once; timeout= is ignored (reference 5.1)`, async () => {
      const { admin } = server()
      const query = `watch=1&timeoutSeconds=${seconds}&timeout=nonsense`
      const response = await admin.open(`${users}?${query}&resourceVersion=${await newest()}`)
      await admin.post(users, { metadata: { name: `t${seconds}` } })
      const first = await next(eventsOf(response))
      expect([first.type, first.object.metadata.name]).to.deep.equal(['ADDED', `t${seconds}`])
      response.destroy()
    })
  }

  it('sendInitialEvents ends with a marked bookmark (reference 5.2, 5.7)', async () => {
    const response = await server().admin.open(
      `${users}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    )
    const events = eventsOf(response)
    let event = await next(events)
    while (event.type === 'ADDED') event = await next(events)
    expect(event).to.deep.equal({
      type: 'BOOKMARK',
      object: {
        kind: 'User',
        apiVersion: 'management.platform/v1',
        metadata: {
          resourceVersion: await newest(),
          annotations: { 'k8s.io/initial-events-end': 'true' },
        },
      },
    })
    response.destroy()
  })

  it('a Table has its columns in the first event only (reference 5.8)', async () => {
    const { admin } = server()
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
    const response = await admin.open(`${users}?watch=1&resourceVersion=${await newest()}`, {
      headers: { accept },
    })
    const events = eventsOf(response)
    for (const name of ['table-1', 'table-2']) await admin.post(users, { metadata: { name } })
    const [first, second] = [await next(events), await next(events)]
    expect([first.object.kind, second.object.kind]).to.deep.equal(['Table', 'Table'])
    expect([
      Array.isArray(first.object['columnDefinitions']),
      Array.isArray(second.object['columnDefinitions']),
    ]).to.deep.equal([true, false])
    response.destroy()
  })

  it('metadata only (reference 5.8)', async () => {
    const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
    const response = await server().admin.open(`${users}?watch=1`, { headers: { accept } })
    const { object } = await next(eventsOf(response))
    expect([object.kind, object['apiVersion'], Object.keys(object)]).to.deep.equal([
      'PartialObjectMetadata',
      'meta.k8s.io/v1',
      ['kind', 'apiVersion', 'metadata'],
    ])
    response.destroy()
  })

  it('a disconnecting client ends the watch', async () => {
    const { admin } = server()
    const gauge = async () =>
      (await admin.get('/metrics')).text
        .split('\n')
        .find(
          (line) => line.startsWith('apiserver_watch_cache_watchers') && line.includes('"users"'),
        )
        ?.split(' ')[1]
    const before = Number(await gauge())
    const response = await admin.open(`${users}?watch=1`)
    expect(Number(await gauge())).to.equal(before + 1)
    response.destroy()
    await once(response, 'close')
    while (Number(await gauge()) !== before);
  })
})
