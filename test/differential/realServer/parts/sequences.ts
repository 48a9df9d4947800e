import type { SeededRandom } from '../../../conformance/crash/seededRandom.ts'
import {
  applyType,
  get,
  jsonPatchType,
  mergeType,
  patch,
  post,
  put,
  remove,
  strategicType,
  type Call,
  type Seen,
  type Step,
} from '../../call.ts'

/** Kind whose objects a sequence writes. */
export interface SequenceKind {
  plural: string
  kind: string
  /** Path of the case's namespace. */
  path: string
  /** True if `/status` accepts writes. */
  hasStatus: boolean
  isCustom: boolean
  /** Content number `n` of an object. */
  content: (n: number) => object
}

const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'i:1' }] },
}

export const sequenceKinds: readonly SequenceKind[] = [
  {
    plural: 'secrets',
    kind: 'Secret',
    path: '/api/v1/namespaces/{ns}/secrets',
    hasStatus: false,
    isCustom: false,
    content: (n) => ({ stringData: { [`k${n}`]: `v${n}`, all: 'same' } }),
  },
  {
    plural: 'services',
    kind: 'Service',
    path: '/api/v1/namespaces/{ns}/services',
    hasStatus: true,
    isCustom: false,
    content: (n) => ({
      spec: { ports: [{ port: 80 + n, name: `p${n}` }], selector: { a: `${n}` } },
    }),
  },
  {
    plural: 'deployments',
    kind: 'Deployment',
    path: '/apis/apps/v1/namespaces/{ns}/deployments',
    hasStatus: true,
    isCustom: false,
    content: (n) => ({
      spec: { replicas: n, selector: { matchLabels: { app: 'a' } }, template },
      status: { replicas: n },
    }),
  },
  {
    plural: 'gadgets',
    kind: 'Gadget',
    path: '/apis/example.com/v1/namespaces/{ns}/gadgets',
    hasStatus: true,
    isCustom: true,
    content: (n) => ({
      spec: { size: n + 1, tags: [`t${n}`], parts: [{ id: 'x', n: n + 0.5 }] },
      status: { replicas: n },
    }),
  },
]

interface Draw {
  kind: SequenceKind
  /** Number of the chosen step. */
  at: number
  number: (end: number) => number
  pick: <T>(...from: readonly [T, ...T[]]) => T
}

/** Random steps; the first creates an object, so that there is something to write. */
export function drawSteps(kind: SequenceKind, count: number, random: SeededRandom): Step[] {
  const number = (end: number) => random.between(0, end)
  // The index is below the length.
  const pick = <T>(...from: readonly [T, ...T[]]): T => from[number(from.length)] as T
  return Array.from({ length: count }, (_, at) => {
    const draw = { kind, at, number, pick }
    return at === 0 ? create(draw) : pick(...verbs)(draw)
  })
}

const address = ({ kind, pick }: Draw) => `${kind.path}/${pick('a', 'a', 'b', 'c')}`

function objectOf({ kind, number, pick }: Draw, name: string): Record<string, unknown> {
  const metadata = {
    name,
    ...pick<object>({}, { labels: { l: pick('1', '2') } }, { annotations: { x: 'y' } }),
    ...pick<object>({}, {}, { finalizers: ['example.com/f'] }),
  }
  const [, version = ''] = /^\/(?:api|apis)\/(.*)\/namespaces/.exec(kind.path) ?? []
  return { apiVersion: version, kind: kind.kind, metadata, ...kind.content(number(3)) }
}

const options = ({ pick }: Draw) =>
  pick('', '', '', '?dryRun=All', '?fieldManager=m2', '?fieldValidation=Strict')

const create = (draw: Draw): Call =>
  post(`${draw.kind.path}${options(draw)}`, objectOf(draw, draw.pick('a', 'a', 'b', 'c')))

function update(draw: Draw): Step {
  const path = address(draw)
  const object = objectOf(draw, path.split('/').at(-1) ?? '')
  const query = options(draw)
  const sub = draw.kind.hasStatus ? draw.pick('', '', '/status') : ''
  const from = draw.number(draw.at)
  return draw.pick(false, true)
    ? put(`${path}${sub}${query}`, object)
    : (seen) => put(`${path}${sub}${query}`, withRevision(object, seen, from))
}

function withRevision(object: Record<string, unknown>, seen: Seen, step: number): object {
  const metadata = {
    ...(object['metadata'] as object),
    resourceVersion: objectRevision(seen, step),
  }
  return { ...object, metadata }
}

/** Revision of the object in the response to a step; 0 if it has none, or a list. */
function objectRevision(seen: Seen, step: number): string {
  try {
    return seen.metadata(step, 'name') === '' ? '0' : revisionOf(seen, step)
  } catch {
    return '0'
  }
}

/** Revision in the response to a step; 0 if it has none. */
function revisionOf(seen: Seen, step: number): string {
  try {
    return seen.metadata(step, 'resourceVersion')
  } catch {
    return '0'
  }
}

function change(draw: Draw): Call {
  const path = address(draw)
  const { kind, number, pick } = draw
  const sub = kind.hasStatus ? pick('', '', '/status') : ''
  const merged = pick<object>(
    kind.content(number(3)),
    { metadata: { labels: { l: pick('1', '3') } } },
    { metadata: { finalizers: null } },
    { metadata: { annotations: null, labels: null } },
  )
  const operations = [
    { op: pick('add', 'replace', 'remove', 'test'), path: '/metadata/labels', value: { l: '4' } },
  ]
  const whole = `${path}${sub}${options(draw)}`
  return pick(
    patch(whole, merged, mergeType),
    patch(whole, merged, kind.isCustom ? mergeType : strategicType),
    patch(whole, operations, jsonPatchType),
  )
}

function apply(draw: Draw): Call {
  const path = address(draw)
  const object = objectOf(draw, path.split('/').at(-1) ?? '')
  const query = `?fieldManager=${draw.pick('m1', 'm2')}${draw.pick('', '&force=true')}`
  return patch(`${path}${query}`, object, applyType)
}

const deletion = (draw: Draw): Call =>
  remove(
    address(draw),
    draw.pick<object | undefined>(
      undefined,
      // Deletions with the other policies are completed by a controller, which the real server does
      // not run.
      { propagationPolicy: 'Background' },
      { gracePeriodSeconds: 0 },
      { preconditions: { resourceVersion: '1' } },
      { dryRun: ['All'] },
    ),
  )

const collectionDeletion = (draw: Draw): Call =>
  remove(
    `${draw.kind.path}${draw.pick('?labelSelector=l%3D1', '?labelSelector=l%3D1&dryRun=All', '')}`,
  )

const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const partialType = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

const read = (draw: Draw): Call =>
  get(address(draw), draw.pick<Record<string, string>>({}, {}, { accept: tableType }))

function list(draw: Draw): Step {
  const from = draw.number(draw.at)
  const headers = draw.pick<Record<string, string>>({}, { accept: partialType })
  const query = draw.pick(
    '',
    '?limit=1',
    '?labelSelector=l%3D1',
    '?fieldSelector=metadata.name%3Da',
  )
  return draw.pick<Step>(get(`${draw.kind.path}${query}`, headers), (seen) =>
    get(`${draw.kind.path}?limit=2&continue=${continueOf(seen, from)}`, headers),
  )
}

function continueOf(seen: Seen, step: number): string {
  try {
    return encodeURIComponent(seen.metadata(step, 'continue'))
  } catch {
    return ''
  }
}

/** Watch from the revision of an earlier step during other writes. */
function watch(draw: Draw): Step {
  const from = draw.number(draw.at)
  const during = [create(draw), change(draw), deletion(draw)]
  const selector = draw.pick('', '', '&labelSelector=l%3D1', '&fieldSelector=metadata.name%3Da')
  const headers = draw.pick<Record<string, string>>({}, {}, { accept: tableType })
  return (seen) => ({
    ...get(
      `${draw.kind.path}?watch=1&resourceVersion=${revisionOf(seen, from)}${selector}`,
      headers,
    ),
    lines: 100,
    during,
  })
}

const verbs: readonly [(draw: Draw) => Step, ...((draw: Draw) => Step)[]] = [
  ...[create, create, update, update, change, change, change, apply, apply, deletion],
  ...[collectionDeletion, read, list, list, watch],
] as const
