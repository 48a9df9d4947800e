import { expect } from 'chai'
import fc from 'fast-check'
import { hasProtobuf } from '../../../apiserver/encoding/protobuf/kindIndex.ts'
import { ProtobufCodec } from '../../../apiserver/encoding/protobuf/protobufCodec.ts'
import { StatusError } from '../../../apiserver/meta/status.ts'
import { kindOf, readVectors } from './vectors.ts'

const codec = new ProtobufCodec()
const vectors = readVectors()

const core = (kind: string) => ({ group: '', version: 'v1', kind })
const configMap = core('ConfigMap')

/** Length-delimited field. */
function field(number: number, ...parts: (string | number[] | Buffer)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  return Buffer.concat([varint((number << 3) | 2), varint(content.length), content])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128)
  return Buffer.from([...bytes, value])
}

function body(kind: string, ...message: Buffer[]): Buffer {
  const apiVersion = kind.startsWith('CustomResource') ? 'apiextensions.k8s.io/v1' : 'v1'
  const typeMeta = field(1, field(1, apiVersion), field(2, kind))
  return Buffer.concat([Buffer.from('k8s\0'), typeMeta, field(2, ...message)])
}

function nested(depth: number, number: number): Buffer {
  let message: Buffer = Buffer.alloc(0)
  for (let level = 0; level < depth; level++) message = field(number, message)
  return message
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof StatusError)) return error
  return { code: error.code, message: error.message }
}

describe('ProtobufCodec.decode (reference 1.12)', () => {
  const schemas = (depth: number) => field(2, field(7, field(4, field(1, nested(depth, 28)))))
  const overlong = Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x07])
  const prefix = 'provided data does not appear to be a protobuf message, expected prefix'
  const refused = [
    { name: 'no bytes', bytes: Buffer.alloc(0), message: 'empty data' },
    { name: 'JSON', bytes: Buffer.from('{}'), message: `${prefix} [107 56 115 0]` },
    { name: 'the magic alone', bytes: Buffer.from('k8s\0'), message: 'empty body' },
    {
      name: 'no kind',
      bytes: Buffer.concat([Buffer.from('k8s\0'), field(1, field(1, 'v1'))]),
      message: `Object 'Kind' is missing in 'runtime.TypeMeta{APIVersion:"v1", Kind:""}'`,
    },
    {
      name: 'no version',
      bytes: Buffer.concat([Buffer.from('k8s\0'), field(1, field(2, 'Pod'))]),
      message: `Object 'apiVersion' is missing in 'runtime.TypeMeta{APIVersion:"", Kind:"Pod"}'`,
    },
    {
      name: 'a kind without a descriptor',
      bytes: body('Nothing'),
      message: 'no kind "Nothing" is registered for version "v1" in scheme',
    },
    {
      name: 'a kind named like a property of every object',
      bytes: body('constructor'),
      message: 'no kind "constructor" is registered for version "v1" in scheme',
    },
    { name: 'a cut text', bytes: body('ConfigMap', field(1, [0x0a, 5, 0x61])) },
    {
      name: 'a text that is longer than its message',
      bytes: body('ConfigMap', field(1, [0x0a, 2, 0x61]), field(9, 'more')),
    },
    {
      name: 'a length beyond everything',
      bytes: body('ConfigMap', overlong),
      message: 'unexpected EOF',
    },
    {
      name: 'a length of 64 bits',
      bytes: body('ConfigMap', Buffer.from([0x0a, ...Array<number>(9).fill(0xff), 1])),
      message: 'invalid length encoding',
    },
    {
      name: 'a number without an end',
      bytes: body('DeleteOptions', Buffer.from([0x08, ...Array<number>(11).fill(0xff)])),
      message: 'invalid varint encoding',
    },
    { name: 'a cut tag', bytes: body('ConfigMap', Buffer.from([0x80])), message: 'unexpected EOF' },
    {
      name: 'field number 0',
      bytes: body('ConfigMap', Buffer.from([0x02, 0])),
      message: 'illegal tag: field number 0',
    },
    {
      name: 'a number where a message belongs',
      bytes: body('ConfigMap', Buffer.from([0x08, 1])),
      message: 'proto: wrong wireType = 0 for field metadata',
    },
    {
      name: 'a text where a number belongs',
      bytes: body('DeleteOptions', field(1, 'a')),
      message: 'proto: wrong wireType = 2 for field gracePeriodSeconds',
    },
    { name: 'the end of no group', bytes: body('ConfigMap', Buffer.from([0x7c])) },
    {
      name: 'a group without an end',
      bytes: body('ConfigMap', Buffer.from([0x7b])),
      message: 'unexpected EOF',
    },
    {
      name: 'groups within groups',
      bytes: body('ConfigMap', Buffer.alloc(100_000, 0x7b)),
      message: 'max depth exceeded',
    },
    {
      name: 'a text that is no UTF-8',
      bytes: body('ConfigMap', field(1, field(1, [0xc3, 0x28]))),
      message: 'proto: string field contains invalid UTF-8',
    },
    {
      name: 'a key that is no UTF-8',
      bytes: body('ConfigMap', field(2, field(1, [0xff]), field(2, 'a'))),
    },
    {
      name: 'deep messages',
      bytes: body('CustomResourceDefinition', schemas(600)),
      message: 'exceeded max depth',
    },
    {
      name: 'very deep messages',
      bytes: body('CustomResourceDefinition', schemas(5_000)),
      message: 'exceeded max depth',
    },
    {
      name: 'small bytes that become many objects',
      bytes: body('PodList', Buffer.alloc(2_000_000, Buffer.from([0x12, 0]))),
      message: 'too many messages',
    },
    { name: 'raw JSON that is none', bytes: body('List', field(2, field(1, '{"a"'))) },
    {
      name: 'raw JSON that is deep',
      bytes: body('List', field(2, field(1, '['.repeat(50_000)))),
      message: "invalid character '[' exceeded max depth",
    },
    {
      name: 'a time beyond the calendar',
      bytes: body('ConfigMap', field(1, field(8, [0x08], varint(2 ** 50)))),
      message: 'proto: 1125899906842624 is outside of the years 1 to 9999',
    },
    {
      name: 'another type than number or text',
      bytes: body('Service', field(2, field(1, field(4, [0x08, 2])))),
      message: 'impossible IntOrString.Type',
    },
    {
      name: 'a quantity that is none',
      bytes: body('PersistentVolume', field(2, field(1, field(1, 'a'), field(2, field(1, 'x'))))),
    },
  ]
  for (const { name, bytes, message } of refused) {
    it(`refuses ${name}: 400 BadRequest`, async () => {
      const error = await errorOf(codec.decode(bytes))
      expect(error).to.have.property('code', 400)
      if (message !== undefined) expect(error).to.have.property('message', message)
    })
  }

  const taken: { name: string; bytes: Buffer; want: Record<string, unknown> }[] = [
    {
      name: 'skips fields that it does not know',
      bytes: body(
        'ConfigMap',
        field(99, 'x'),
        Buffer.from([0x78, 1, 0x7b, 0x08, 1, 0x7c]),
        field(1, field(1, 'a')),
      ),
      want: { metadata: { name: 'a' } },
    },
    {
      name: 'puts a message together that comes in parts',
      bytes: body(
        'ConfigMap',
        field(1, field(1, 'a')),
        field(1, field(3, 'b')),
        field(1, field(1, 'c')),
      ),
      want: { metadata: { name: 'c', namespace: 'b' } },
    },
    {
      name: 'takes the last of equal keys',
      bytes: body(
        'ConfigMap',
        field(2, field(1, 'k'), field(2, 'a')),
        field(2, field(1, 'k'), field(2, 'b')),
      ),
      want: { metadata: {}, data: { k: 'b' } },
    },
    {
      name: 'keeps the keys __proto__ and constructor',
      bytes: body(
        'ConfigMap',
        field(2, field(1, '__proto__'), field(2, 'a')),
        field(2, field(1, 'constructor'), field(2, 'b')),
      ),
      want: { metadata: {}, data: { ['__proto__']: 'a', constructor: 'b' } },
    },
    {
      name: 'takes a value without key and a key without value',
      bytes: body('Secret', field(2, field(2, 'a')), field(2, field(1, 'k'))),
      want: { metadata: {}, data: { '': 'YQ==', k: '' } },
    },
    {
      name: 'takes packed numbers',
      bytes: body('Pod', field(2, field(14, field(4, [1, 2]), [0x20, 3]))),
      want: {
        metadata: {},
        spec: { containers: null, securityContext: { supplementalGroups: [1, 2, 3] } },
        status: {},
      },
    },
    {
      name: 'takes no notice of contentType, as the Go serializer',
      bytes: Buffer.concat([
        body('ConfigMap', field(1, field(1, 'a'))),
        field(4, 'application/json'),
      ]),
      want: { metadata: { name: 'a' } },
    },
    { name: 'takes an object of no bytes', bytes: body('ConfigMap'), want: { metadata: {} } },
  ]
  for (const { name, bytes, want } of taken) {
    it(name, async () => {
      const { apiVersion, kind, value } = await codec.decode(bytes)
      expect(value).to.deep.equal({ kind, apiVersion, ...want })
      expect(Object.getPrototypeOf(value['data'] ?? {})).to.equal(Object.prototype)
    })
  }

  it("uses the caller's kind and version if the body has none", async () => {
    const bytes = Buffer.concat([Buffer.from('k8s\0'), field(2, field(1, field(1, 'a')))])
    const { value } = await codec.decode(bytes, configMap)
    expect(value).to.deep.equal({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } })
  })

  const ofEntries = (length: number) =>
    body('ConfigMap', Buffer.concat(Array.from({ length }, (_, n) => field(2, field(1, `k${n}`)))))

  it('accepts 6,000 entries of a map', async () => {
    const { value } = await codec.decode(ofEntries(6_000))
    expect(Object.keys(value['data'] ?? {})).to.have.length(6_000)
  })

  it('refuses a map with too many entries', async () => {
    const refused = await codec.decode(ofEntries(7_000)).catch((error: unknown) => error)
    expect(refused).to.include({ code: 400, message: 'too many messages' })
  })

  it('returns an object or 400 for any damage', async () => {
    const bodies = vectors.filter(({ event }) => event === undefined)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...bodies),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.nat(3),
        async ({ protobuf }, changes, cut) => {
          const bytes = Buffer.from(protobuf.subarray(0, protobuf.length - cut))
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte
          const error = await errorOf(codec.decode(bytes))
          if (error !== undefined) expect(error).to.have.property('code', 400)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('ProtobufCodec.encode (reference 0.4)', () => {
  const refused = [
    { object: { metadata: [] }, message: 'metadata: object expected, not array' },
    { object: { metadata: { name: 1 } }, message: 'metadata.name: string expected, not number' },
    {
      object: { metadata: { generation: 1.5 } },
      message: 'metadata.generation: integer expected, not number',
    },
    {
      object: { metadata: { finalizers: 'a' } },
      message: 'metadata.finalizers: array expected, not string',
    },
    {
      object: { metadata: { creationTimestamp: 'soon' } },
      message: 'metadata.creationTimestamp: time expected, not string',
    },
    { object: { data: { a: {} } }, message: 'data: string expected, not object' },
  ]
  for (const { object, message } of refused) {
    it(`refuses ${JSON.stringify(object)}: 500`, async () => {
      const error = await errorOf(codec.encode(object, configMap))
      expect(error).to.deep.equal({
        code: 500,
        message: `Internal error occurred: cannot be written as protobuf: ${message}`,
      })
      expect((await codec.encode({}, configMap)).length).to.be.greaterThan(0)
    })
  }

  it('omits unknown fields, and encodes null as the zero value', async () => {
    const object = { metadata: null, data: null, nothing: 1, immutable: null }
    expect(await codec.encode(object, configMap)).to.deep.equal(await codec.encode({}, configMap))
  })

  it('keeps 64-bit integers', async () => {
    const pod = core('Pod')
    for (const seconds of [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n + 1n, 2 ** 53 - 1, -7]) {
      const spec = { terminationGracePeriodSeconds: seconds, containers: [] }
      const bytes = await codec.encode({ metadata: {}, spec }, pod)
      const { value } = await codec.decode(bytes, pod)
      expect(value).to.have.nested.property('spec.terminationGracePeriodSeconds', seconds)
    }
  })

  it('encodes half a surrogate pair as the replacement character', async () => {
    const texts = ['\ud800', `${'x'.repeat(50)}\udc00`, `${'x'.repeat(500)}\ud800x`]
    const object = { metadata: {}, data: Object.fromEntries(texts.map((value, n) => [n, value])) }
    const { value } = await codec.decode(await codec.encode(object, configMap))
    expect(Object.values(value['data'] ?? {})).to.deep.equal(
      texts.map((value) => value.replace(/[\ud800\udfff\udc00]/, '\ufffd')),
    )
  })
})

describe('KindCodec.encodeList', () => {
  it('equals encode, for items that are already messages', async () => {
    const list = vectors.find(({ name }) => name === 'configmap list')
    if (list === undefined) throw new Error('no such vector')
    const item = await codec.load(configMap)
    const items = (list.json['items'] as object[]).map((object) => item.encodeMessage(object))
    const metadata = list.json['metadata'] as object
    const bytes = (await codec.load(kindOf(list.json))).encodeList({ metadata }, items)
    expect(bytes).to.deep.equal(list.protobuf)
  })
})

describe('ProtobufCodec.loaded', () => {
  it('has a kind once it was loaded, the same each time', async () => {
    const fresh = new ProtobufCodec()
    expect(fresh.loaded(configMap)).to.equal(undefined)
    const loaded = await fresh.load(configMap)
    expect(fresh.loaded(configMap)).to.equal(loaded)
    expect(await fresh.load(configMap)).to.equal(loaded)
  })
})

describe('hasProtobuf', () => {
  const cases = [
    { gvk: core('Pod'), want: true },
    { gvk: core('PodList'), want: true },
    { gvk: core('Status'), want: true },
    { gvk: { group: 'apps', version: 'v1', kind: 'Deployment' }, want: true },
    { gvk: { group: 'apps', version: 'v1', kind: 'DeleteOptions' }, want: true },
    { gvk: { group: 'example.com', version: 'v1', kind: 'DeleteOptions' }, want: true },
    { gvk: { group: 'meta.k8s.io', version: 'v1', kind: 'PartialObjectMetadataList' }, want: true },
    { gvk: { group: 'meta.k8s.io', version: 'v1', kind: 'Table' }, want: false },
    { gvk: { group: 'apps', version: 'v1', kind: 'Pod' }, want: false },
    { gvk: { group: 'example.com', version: 'v1', kind: 'Widget' }, want: false },
    { gvk: { group: '', version: 'constructor', kind: 'name' }, want: false },
    { gvk: { group: '', version: 'v1', kind: '' }, want: false },
  ]
  for (const { gvk, want } of cases) {
    it(`${gvk.group}/${gvk.version} ${gvk.kind}: ${want}`, () => {
      expect(hasProtobuf(gvk)).to.equal(want)
    })
  }
})
