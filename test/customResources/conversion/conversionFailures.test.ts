import { expect } from 'chai'
import { ConversionServer, type Converted } from '../../support/servers/conversionServer.ts'
import { definitionsPath } from '../../support/definitions.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { web, webDefinition, webs } from '../../support/kinds/webDefinition.ts'
import { useTestServer } from '../../endpoints/support/testServer.ts'

const typeless =
  'Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

/** Changes the first object of a response, or replaces the whole response. */
const changed = (change: (object: Converted) => unknown) => (hook: ConversionServer) => {
  hook.misbehave = (response) => {
    const [first, ...rest] = response.convertedObjects as Converted[]
    return { ...response, convertedObjects: [first && (change(first) ?? first), ...rest] }
  }
}
const result = (value: Record<string, unknown>) => (hook: ConversionServer) => {
  hook.misbehave = (response) => ({ ...response, result: value })
}
const body =
  (text: string, code = 200) =>
  (hook: ConversionServer) => {
    hook.misbehave = (_response, http) => {
      const type = code === 200 ? 'application/json' : 'text/plain'
      http.writeHead(code, { 'content-type': type }).end(text)
      return undefined
    }
  }
const review = (version: string, rest = '') =>
  `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/${version}"${rest}}`

const subject = 'conversion webhook for g.example.com/v1, Kind=Web'
const cases: { name: string; break: (hook: ConversionServer) => void; why: string }[] = [
  {
    name: 'an error',
    break: body('boom', 500),
    why: `${subject} failed: an error on the server ("boom") has prevented the request from succeeding`,
  },
  {
    name: 'an empty body',
    break: body(''),
    why: `${subject} failed: 0-length response with status code: 200 and content type: application/json`,
  },
  {
    name: 'no JSON',
    break: body('garbage'),
    why: `${subject} failed: couldn't get version/kind; json parse error: json: cannot unmarshal string into ${typeless}`,
  },
  {
    name: 'an object without a type',
    break: body('{}'),
    why: `${subject} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=`,
  },
  {
    name: 'another kind',
    break: body('{"kind":"Foo","apiVersion":"v1"}'),
    why: `${subject} failed: no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"`,
  },
  {
    name: 'another version of the review',
    break: body(review('v1beta1')),
    why: `${subject} failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion`,
  },
  {
    name: 'no response',
    break: body(review('v1')),
    why: `${subject} failed: no response provided`,
  },
  {
    name: 'a failure with a message',
    break: result({ status: 'Failed', message: 'no way' }),
    why: `${subject} failed: no way`,
  },
  {
    name: 'a failure without one',
    break: result({ status: 'Failure' }),
    why: `${subject} failed: response.result.status was 'Failure', not 'Success'`,
  },
  {
    name: 'no status',
    break: result({}),
    why: `${subject} failed: response.result.status was '', not 'Success'`,
  },
  {
    name: 'no objects',
    break: (hook) => (hook.misbehave = (response) => ({ ...response, convertedObjects: [] })),
    why: `${subject} returned 0 objects, expected 1`,
  },
  {
    name: 'another name',
    break: changed(({ metadata }) => void (metadata['name'] = 'zz')),
    why: `${subject} returned invalid object: must have the same name: a != zz`,
  },
  {
    name: 'another namespace',
    break: changed(({ metadata }) => void (metadata['namespace'] = 'zz')),
    why: `${subject} returned invalid object: must have the same namespace: default != zz`,
  },
  {
    name: 'no metadata',
    break: changed(({ metadata: _, ...object }) => object),
    why: `${subject} returned invalid object: must have the same name: a != `,
  },
  {
    name: 'another apiVersion',
    break: changed((object) => void (object.apiVersion = 'x/v9')),
    why: `${subject} returned invalid object at index 0: invalid groupVersion (expected g.example.com/v2, received x/v9)`,
  },
  {
    name: 'another kind of object',
    break: changed((object) => void (object.kind = 'Other')),
    why: `${subject} returned invalid object at index 0: invalid kind (expected Web, received Other)`,
  },
  {
    name: 'no object',
    break: changed(() => 5),
    why: 'json: cannot unmarshal number into Go value of type map[string]interface {}',
  },
  {
    name: 'labels that are none',
    break: changed(({ metadata }) => void (metadata['labels'] = 's')),
    why: `${subject} returned invalid metadata: invalid metadata.labels of type string in converted object`,
  },
  {
    name: 'an annotation that is no string',
    break: changed(({ metadata }) => void (metadata['annotations'] = { A: 5 })),
    why: `${subject} returned invalid metadata: metadata.annotations[A] must be a string, but is int64 in converted object`,
  },
  {
    name: 'a label with a wrong name',
    break: changed(({ metadata }) => void (metadata['labels'] = { 'a b': 'c' })),
    why: `${subject} returned invalid metadata: metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  },
]

/** Source: seen on kube-apiserver 1.37.2. */
describe('conversion by a failing webhook', () => {
  const server = useTestServer()
  let hook: ConversionServer
  before(async () => {
    hook = await ConversionServer.open()
    await server().admin.post(definitionsPath, webDefinition(hook.clientConfig))
  })
  beforeEach(async () => {
    hook.misbehave = undefined
    await server().admin.delete(webs('v1'))
    await server().admin.post(webs('v1'), web('v1', 'a', 1))
  })
  after(() => hook.close())

  const corrupt = (root: string, revision: string, why: string) =>
    `StorageError: corrupt object, Code: 7, Key: ${root}/g.example.com/webs/default/a, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=${revision}: ${why}`

  for (const { name, break: breakHook, why } of cases) {
    it(`reports that the response was ${name}: 500`, async () => {
      const { admin } = server()
      const stored = await admin.get(webs('v1', 'a'))
      const revision = String(stored.field('metadata', 'resourceVersion'))
      breakHook(hook)
      const read = await admin.get(webs('v2', 'a'))
      expect([read.status, read.field('reason'), read.field('message')]).to.deep.equal([
        500,
        'InternalError',
        `Internal error occurred: ${corrupt('', revision, why)}`,
      ])
      const list = await admin.get(webs('v2'))
      expect([list.status, list.field('reason'), list.field('message')]).to.deep.equal([
        500,
        'StorageReadError',
        `failed to read one or more webs.g.example.com from the storage: ${corrupt('/registry', revision, why)}`,
      ])
    })
  }

  it('refuses a create that cannot be stored: 500 without a reason, and nothing is stored', async () => {
    const { admin } = server()
    body('boom', 500)(hook)
    const refused = await admin.post(webs('v2'), web('v2', 'b', 1))
    const why =
      'conversion webhook for g.example.com/v2, Kind=Web failed: an error on the server ("boom") has prevented the request from succeeding'
    expect([refused.status, refused.field('reason'), refused.field('message')]).to.deep.equal([
      500,
      undefined,
      why,
    ])
    expect((await admin.get(webs('v1', 'b'))).status).to.equal(404)
  })

  it('does not call the webhook if no conversion is needed', async () => {
    const { admin } = server()
    body('boom', 500)(hook)
    const made = await admin.post(webs('v1'), web('v1', 'c', 1))
    const read = await admin.get(webs('v1'))
    const gone = await admin.delete(webs('v1', 'c'))
    expect([made.status, read.status, gone.status]).to.deep.equal([201, 200, 200])
    expect((await admin.get(webs('v2', 'none'))).status).to.equal(404)
  })

  it('lists cached objects at revision 0, and the newest state once the webhook is back', async () => {
    const { admin } = server()
    await admin.get(webs('v2'))
    body('boom', 500)(hook)
    await admin.patch(webs('v1', 'a'), 'merge-patch+json', { spec: { size: 2 } })
    const old = await admin.get(`${webs('v2')}?resourceVersion=0`)
    expect(old.field('items', 0, 'spec')).to.deep.equal({ count: 1 })
    expect((await admin.get(webs('v2'))).status).to.equal(500)
    hook.misbehave = undefined
    const newest = await admin.get(webs('v2'))
    expect([newest.status, newest.field('items', 0, 'spec')]).to.deep.equal([200, { count: 2 }])
  })

  it('delays a watch, and then sends every change in order', async () => {
    const { admin } = server()
    const list = await admin.get(webs('v2'))
    const revision = String(list.field('metadata', 'resourceVersion'))
    const stream = await admin.open(`${webs('v2')}?watch=1&resourceVersion=${revision}`)
    let text = ''
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    stream.on('error', () => undefined)
    body('boom', 500)(hook)
    for (const size of [2, 3, 4]) {
      await admin.patch(webs('v1', 'a'), 'merge-patch+json', { spec: { size } })
    }
    await admin.delete(webs('v1', 'a'))
    expect(text).to.equal('')
    hook.misbehave = undefined
    await waitUntil(() => text.includes('DELETED'))
    const events = text.trimEnd().split('\n')
    type Event = { type: string; object: { apiVersion: string; spec: object } }
    const seen = events.map((line) => JSON.parse(line) as Event)
    expect(seen.map(({ type, object }) => [type, object.apiVersion, object.spec])).to.deep.equal([
      ['MODIFIED', 'g.example.com/v2', { count: 2 }],
      ['MODIFIED', 'g.example.com/v2', { count: 3 }],
      ['MODIFIED', 'g.example.com/v2', { count: 4 }],
      ['DELETED', 'g.example.com/v2', { count: 4 }],
    ])
    stream.destroy()
  })

  it('removes a namespace and the definition without calling the webhook', async () => {
    const { admin } = server()
    await admin.post('/api/v1/namespaces', { metadata: { name: 'doomed' } })
    await admin.post(webs('v1', undefined, 'doomed'), web('v1', 'x', 1))
    body('boom', 500)(hook)
    await admin.delete('/api/v1/namespaces/doomed')
    await waitUntil(async () => (await admin.get('/api/v1/namespaces/doomed')).status === 404)
    await admin.delete(`${definitionsPath}/webs.g.example.com`)
    const isGone = async () =>
      (await admin.get(`${definitionsPath}/webs.g.example.com`)).status === 404
    await waitUntil(isGone)
  })
})
