import { expect } from 'chai'
import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { startServer } from '../../apiserver/server.ts'
import type { RunningServer } from '../../apiserver/runtime/options/serverOptions.ts'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { clientOf } from '../endpoints/support/testServer.ts'
import { definitionsPath, widgetDefinition, widgetsPath } from '../support/definitions.ts'
import { FakeClock } from '../support/fakes/fakeClock.ts'
import { waitUntil } from '../support/waitUntil.ts'

/** Resource that can be watched according to discovery. */
interface Watchable {
  path: string
  kind: string
  group: string
}

interface ListedResource {
  name: string
  kind: string
  verbs: string[]
}

const json = 'application/json'
const protobuf = 'application/vnd.kubernetes.protobuf'
const forms: readonly { name: string; accept: string }[] = [
  { name: 'JSON', accept: json },
  { name: 'protobuf', accept: protobuf },
  { name: 'YAML', accept: 'application/yaml' },
  { name: 'Table', accept: `${json};as=Table;v=v1;g=meta.k8s.io` },
  { name: 'v1beta1 Table', accept: `${json};as=Table;v=v1beta1;g=meta.k8s.io` },
  { name: 'metadata', accept: `${json};as=PartialObjectMetadata;v=v1;g=meta.k8s.io` },
  {
    name: 'metadata as protobuf',
    accept: `${protobuf};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`,
  },
]

/** Occasions for bookmarks: the query, and the time to advance the clock. */
const occasions: readonly { name: string; query: string; afterMs: number; table?: string }[] = [
  { name: 'each minute', query: '', afterMs: 61_000 },
  { name: 'before timeoutSeconds are over', query: '&timeoutSeconds=7', afterMs: 5_500 },
  { name: 'each minute, rows without objects', query: '&includeObject=None', afterMs: 61_000 },
  { name: 'each minute, rows with objects', query: '&includeObject=Object', afterMs: 61_000 },
  {
    name: 'at the end of the initial events',
    query: '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    afterMs: 0,
  },
]

describe('bookmarks of every kind in discovery', function () {
  this.timeout(60_000)
  const clock = new FakeClock(Date.now())
  let running: RunningServer
  let admin: HttpClient
  let watchable: Watchable[]

  before(async () => {
    const given = { securePort: 0, insecurePort: 0, logLevel: 'silent', storage: 'memory' } as const
    running = await startServer({ ...given, shutdownGraceSeconds: 1 }, { clock })
    admin = clientOf(running)
    expect((await admin.post(definitionsPath, widgetDefinition({}))).status).to.equal(201)
    await waitUntil(async () => (await admin.get(widgetsPath)).status === 200)
    watchable = await offered(admin)
  })

  after(() => running.stop())

  it('are tested for built-in, platform and custom kinds', () => {
    const kinds = watchable.map(({ kind }) => kind)
    expect(kinds).to.include.members(['Service', 'RoleBinding', 'Event', 'Project', 'Widget'])
  })

  let writes = 0

  for (const { name, accept } of forms) {
    for (const { name: when, query, afterMs } of occasions) {
      if (query.includes('includeObject') && !name.includes('Table')) continue
      it(`come ${when}, as ${name}`, async () => {
        const faults = await Promise.all(
          watchable.map((one) => faultOf(one, accept, query)).concat(passTime(afterMs)),
        )
        expect(faults.filter((fault) => fault !== '')).to.deep.equal([])
      })
    }
  }

  /**
   * Waits until all watches are open, writes objects that none of them selects, and advances the
   * clock.
   */
  async function passTime(ms: number): Promise<string> {
    const standing = () => streams.length === watchable.length
    await waitUntil(standing)
    streams.length = 0
    if (ms === 0) return ''
    const made = await admin.post('/api/v1/namespaces', { metadata: { name: `n${++writes}` } })
    expect(made.status).to.equal(201)
    // In steps, so that writes reach their watchers.
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500)
      await setImmediate()
    }
    return ''
  }

  /** Open watches. */
  const streams: Watchable[] = []

  /** Fault of the first bookmark of a watch; empty: none. */
  async function faultOf(one: Watchable, accept: string, query: string): Promise<string> {
    const list = await admin.get(`${one.path}?limit=1`)
    const revision = String(list.field('metadata', 'resourceVersion'))
    const since = query.includes('sendInitial') ? '' : `&resourceVersion=${revision}`
    const selector = '&fieldSelector=metadata.name%3Dnone'
    const url = `${one.path}?watch=1&allowWatchBookmarks=true${since}${selector}${query}`
    const response = await admin.open(url, { headers: { accept } })
    streams.push(one)
    if (!isServed(one, accept)) {
      response.destroy()
      return response.statusCode === 406 ? '' : `${one.kind}: ${String(response.statusCode)}`
    }
    const seen = await firstBytes(response)
    response.destroy()
    const why = accept.startsWith(protobuf)
      ? protobufFault(one, seen, accept)
      : jsonFault(one, seen, accept)
    return why === '' ? '' : `${one.group}/${one.kind}: ${why}`
  }
})

/** No kind can be watched as YAML, and only built-in ones as protobuf, except for metadata. */
function isServed({ group }: Watchable, accept: string): boolean {
  const isBuiltIn = !/^(management\.platform|example\.com)\//.test(group)
  return accept === protobuf ? isBuiltIn : accept !== 'application/yaml'
}

/** Every resource with the verb watch in discovery. */
async function offered(admin: HttpClient): Promise<Watchable[]> {
  const groups = (await admin.get('/apis')).field('groups') as {
    versions: { groupVersion: string }[]
  }[]
  const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion))
  const places = ['/api/v1', ...versions.map((version) => `/apis/${version}`)]
  const found = await Promise.all(
    places.map(async (place) => {
      const resources = (await admin.get(place)).field('resources') as ListedResource[]
      const group = place.split('/').slice(2).join('/')
      return resources
        .filter(({ verbs }) => verbs.includes('watch'))
        .map(({ name, kind }) => ({ path: `${place}/${name}`, kind, group }))
    }),
  )
  return found.flat()
}

/** First bytes of a stream; a frame is sent whole. */
async function firstBytes(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    response.once('data', resolve)
    response.once('end', () => reject(new Error('the watch ended without a bookmark')))
    response.once('error', reject)
  })
}

/** Cells of an empty object on the real server, for kinds whose columns read nested fields. */
const observedCells: Readonly<Record<string, unknown[]>> = {
  'v1/Service': ['', '', '<none>', '<unknown>', '<none>', '<unknown>', '<none>'],
  'v1/Event': ['<unknown>', '', '', '', '', '', '', '<unknown>', 1, ''],
  'events.k8s.io/v1/Event': ['<unknown>', '', '', '', '', '', '', '<unknown>', 1, ''],
  'rbac.authorization.k8s.io/v1/RoleBinding': ['', '/', '<unknown>', '', '', ''],
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': ['', '/', '<unknown>', '', '', ''],
  'v1/PodTemplate': ['', '', '', '<none>'],
  'batch/v1/Job': ['', 'Running', '0/1', '', '<unknown>', '', '', '<none>'],
  // The real server has no column for the last one, either.
  'networking.k8s.io/v1/IPAddress': ['', '<none>', '<unknown>'],
  'v1/Pod': ['', '0/0', '', '0', '<unknown>', '<none>', '<none>', '<none>', '<none>'],
}

interface Bookmark {
  type: string
  object: {
    kind: string
    apiVersion: string
    metadata: { resourceVersion?: string; annotations?: object }
    columnDefinitions?: unknown[] | null
    rows?: { cells: unknown[]; object: { kind: string } | null }[]
  }
}

function jsonFault({ kind, group }: Watchable, seen: Buffer, accept: string): string {
  const text = seen.toString('utf8')
  const { type, object } = JSON.parse(text) as Bookmark
  const shown = shownAs(accept)
  const want = shown === undefined ? [kind, group] : [shown, 'meta.k8s.io']
  const isMeant = object.kind === want[0] && object.apiVersion.startsWith(want[1] ?? '')
  const hasRevision = Number(object.metadata.resourceVersion) > 0
  const isWhole = shown !== 'Table' || isRow(object, observedCells[`${group}/${kind}`])
  return type === 'BOOKMARK' && isMeant && hasRevision && isWhole ? '' : text
}

function shownAs(accept: string): string | undefined {
  return ['Table', 'PartialObjectMetadata'].find((kind) => accept.includes(`as=${kind};`))
}

/** The first event of a stream contains the columns, even if it is a bookmark. */
function isRow({ columnDefinitions, rows = [] }: Bookmark['object'], want?: unknown[]): boolean {
  const cells = rows[0]?.cells ?? []
  if (want !== undefined) return JSON.stringify(cells) === JSON.stringify(want)
  return cells.length > 0 && cells.length === columnDefinitions?.length
}

function protobufFault(one: Watchable, seen: Buffer, accept: string): string {
  const kind = accept.includes('as=') ? 'PartialObjectMetadata' : one.kind
  const isWhole = seen.readUInt32BE(0) === seen.length - 4
  return isWhole && ['BOOKMARK', kind].every((text) => seen.includes(text)) ? '' : seen.toString()
}
