import { get, mergeType, patch, post, remove, type Answer, type Call } from '../../call.ts'
import type { Part } from '../part.ts'
import type { Seed } from '../seeds/seeds.ts'
import { compareCalls, seedsOfKinds } from './compareCalls.ts'

const protobuf = 'application/vnd.kubernetes.protobuf'
const partial = (type: string, version = 'v1') =>
  `${type};as=PartialObjectMetadata;v=${version};g=meta.k8s.io`
const partialList = (type: string) => `${type};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`
const table = (type: string) => `${type};as=Table;v=v1;g=meta.k8s.io`

/** Values of Accept, including some that no client sends. */
const accepts = [
  ...['application/json', 'application/yaml', protobuf].flatMap((type) => [
    type,
    partial(type),
    partial(type, 'v1beta1'),
    partialList(type),
    table(type),
    `${partial(type)},application/json`,
    `${table(type)},application/json`,
    `${type};stream=watch`,
  ]),
  `${protobuf},application/json`,
  `${protobuf}, */*`,
  '*/*',
  'application/*',
  'application/cbor',
  'application/cbor,application/json',
  'text/plain',
  'image/png,application/yaml',
]

/** Every form of a response, for a built-in kind and a custom one, for every verb. */
export const formsPart: Part = {
  name: 'forms',
  titles: [],
  run: async (context) => {
    const seeds = await seedsOfKinds(context, 'configmaps')
    const calls = seeds.flatMap((seed) => accepts.flatMap((accept) => callsOf(seed, accept)))
    return compareCalls(context, calls, shown)
  },
}

function callsOf({ path, address, body }: Seed, accept: string): Call[] {
  const headers = { accept }
  const named = { ...body, metadata: { name: 'of-forms' } }
  const dryRun = 'dryRun=All'
  const change = { metadata: { labels: { form: 'a' } } }
  return [
    get(address, headers),
    get(`${path}/none`, headers),
    get(`${path}?labelSelector=form%3Dnone`, headers),
    get(`${path}?watch=1&timeoutSeconds=1&labelSelector=form%3Dnone`, headers),
    post(`${path}?${dryRun}`, named, headers),
    patch(`${address}?${dryRun}`, change, { ...mergeType, ...headers }),
    { ...remove(`${address}?${dryRun}`), headers },
    { ...remove(`${path}?${dryRun}&labelSelector=form%3Dnone`), headers },
  ]
}

/** Response without values specific to a server: uids and revisions in binary bodies. */
function shown(answer: Answer): Answer {
  const isBinary = answer.headers['content-type']?.startsWith(protobuf) === true
  return isBinary && answer.status < 300 ? { ...answer, body: '' } : answer
}
