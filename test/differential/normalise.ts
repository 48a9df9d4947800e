import { parse } from 'yaml'
import type { Answer } from './call.ts'

/** Response without the parts in which two correct servers may differ. */
export interface Normal {
  status: number
  headers: Record<string, string>
  /** JSON, the events of a stream as an array, or text. */
  body: unknown
}

/**
 * Headers that a client may act on; the others (dates, lengths, audit ids) are specific to one
 * response.
 */
const compared = [
  'content-type',
  'cache-control',
  'content-encoding',
  'warning',
  'allow',
  'retry-after',
  'location',
  'vary',
  'www-authenticate',
  'x-content-type-options',
]

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const second = /\b20(?:2[6-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
const generatedName = /\b(gen-|a\/b|kube-api-access-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g
const storageKey = /(Key: )\/\S+(?=,)/g
const revisionInText = /("resourceVersion":")\d+(?=")/g
const goType = / \(\*wardle\.\w+\)/g
const patchResult = /(Invalid value: ")\{.*\}(?=": )/gs
const unknownFields = /(?:unknown field "[^"]+"(?:, )?)+/g
const keyPaths = /,"(\/\.well-known\/openid-configuration|\/openid\/v1\/jwks)\/?"/g
const typeErrors = /(?<=errors:\n)(?: {2}\..*(?:\n|$))+/g
const inRecord = /(in record \()\d+(?=\))/g
const deprecated =
  /(, )?299 - "wardle\.example\.com\/\S+ Fl?\w+ is deprecated in [^"]*"(, (?=299))?/g
/** Address in the range from which both servers allocate. */
const clusterAddress = /\b10\.(?:9[6-9]|10\d|11[01])\.\d+\.\d+\b/g
const webToken = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g
const allocatedPorts = ['nodePort', 'healthCheckNodePort']
const age = /^\d+s( ago)?$/
const tooLarge = /(Too large resource version: \d+, current: )\d+/g

/** The named normalisations, for all answers of one server in one case:
 *  - `uid`: UIDs are numbered in the order in which they are first seen;
 *  - `yaml`: a YAML body is compared by its meaning;
 *  - `resourceVersion`: revisions become their rank among all that the case has seen of this server;
 *  - `listRevision`: the revision of a list is that of the whole store, which others advance, and becomes the rank of the
 *    newest object that it may show;
 *  - `continue`: a token is opened, its revision becomes its rank, and its key begins without a slash;
 *  - `managers`: managers of fields that wrote in several seconds stand as if they had written in one;
 *  - `conflicts`: the causes of an apply conflict are sorted, as the library takes them from a map;
 *  - `rules`: the rules of a review are sorted, as the library takes the bindings from a map;
 *  - `keyPaths`: the paths of the keys of service accounts, which every user may read here, are left out of rules;
 *  - `goType`: the name of the Go type that a list or object has, at the end of a refusal, is left out;
 *  - `index`: the paths that an index names are each server's own, and are not compared;
 *  - `time`: a time of this run is `time`; those that requests give are older;
 *  - `age`: a cell of a few seconds is `age`;
 *  - `address`: the address by which a server was reached is its own;
 *  - `allocated`: addresses and ports of services, and tokens, are each server's own;
 *  - `generateName`: what is appended to `gen-`, `a/b` and the names of token volumes is `~`;
 *  - `current`: the newest revision in the text of a refusal is left out;
 *  - `patchResult`: the object that a refused patch would have made is left out of the text;
 *  - `typeErrors`: the errors of an applied configuration are sorted, as the library takes its fields from a map;
 *  - `unknownFields`: the order in which unknown fields are named is not examined;
 *  - `storage`: the key and the revision that a text of storage or of a whole object holds are left out;
 *  - `description`: a text that explains a field or column is only present;
 *  - `deprecated`: the warning that generated code attaches to the sample's versions is left out;
 *  - `headers`: only those that a client may act on. */
export function normalised(answers: readonly Answer[]): Normal[] {
  const bodies = answers.map((answer) => ofList(opened(sorted(indexed(parsed(answer))))))
  const ranks = ranksOf(bodies)
  const uids = new Map<string, string>()
  return answers.map(({ status, headers }, index) => ({
    status,
    headers: shownHeaders(headers),
    body: renamed(bodies[index], '', (text, key) => shown(text, key, { ranks, uids })),
  }))
}

function shownHeaders(headers: Answer['headers']): Record<string, string> {
  return Object.fromEntries(
    compared.flatMap((name) => {
      const sent = (headers[name] ?? '').replace(deprecated, '')
      const value =
        name === 'warning'
          ? sent
              .split(/, (?=299)/)
              .sort()
              .join(', ')
          : sent
      return value === '' ? [] : [[name, value]]
    }),
  )
}

function parsed({ body, headers }: Answer): unknown {
  try {
    return headers['content-type'] === 'application/yaml' ? parse(body) : JSON.parse(body)
  } catch {
    const lines = body.split('\n').filter((line) => line !== '')
    if (lines.length < 2) return body
    try {
      return lines.map((line) => JSON.parse(line) as unknown)
    } catch {
      return body
    }
  }
}

function indexed(body: unknown): unknown {
  const isIndex = isRecord(body) && Object.keys(body).join() === 'paths'
  return isIndex && Array.isArray(body['paths']) ? { paths: '…' } : body
}

function sorted(body: unknown): unknown {
  if (isRecord(body) && body['kind'] === 'SelfSubjectRulesReview') return rulesSorted(body)
  if (!isRecord(body) || body['code'] !== 409 || !isRecord(body['details'])) return body
  const { causes } = body['details']
  if (!Array.isArray(causes)) return body
  const inOrder = causes.map((cause) => JSON.stringify(cause)).sort()
  return {
    ...body,
    details: { ...body['details'], causes: inOrder.map((cause) => JSON.parse(cause) as unknown) },
  }
}

function rulesSorted(body: Record<string, unknown>): unknown {
  if (!isRecord(body['status'])) return body
  const status = Object.entries(body['status']).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value)
      ? value.map((one) => JSON.stringify(one).replaceAll(keyPaths, '')).sort()
      : value,
  ])
  return { ...body, status: Object.fromEntries(status) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Managers in the order that they have if all wrote in the same second. */
function asOfOneSecond(entries: unknown): unknown {
  if (!Array.isArray(entries)) return entries
  const managers = entries.filter(isRecord)
  if (new Set(managers.map(({ time }) => time)).size < 2) return entries
  const place = ({ operation, manager, apiVersion, subresource = '' }: Record<string, unknown>) =>
    JSON.stringify([operation, manager, apiVersion, subresource])
  return managers.sort((one, other) => (place(one) < place(other) ? -1 : 1))
}

/** Value with each continue token decoded. */
function opened(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => opened(item))
  if (isRecord(value)) {
    const members = Object.entries(value).map(([name, inner]) => [
      name,
      opened(name === 'managedFields' ? asOfOneSecond(inner) : inner, name),
    ])
    return Object.fromEntries(members) as unknown
  }
  if (key !== 'continue' || typeof value !== 'string' || value === '') return value
  const { v, rv, start } = JSON.parse(Buffer.from(value, 'base64url').toString()) as {
    v: string
    rv: number
    start: string
  }
  return { v, resourceVersion: String(rv), start: start.replace(/^\//, '') }
}

const listMark = 'list revision '

/** List with a mark on its revision, and on that of its token: they are not those of an object. */
function ofList(body: unknown): unknown {
  if (!isRecord(body) || !isRecord(body['metadata'])) return body
  if (!['items', 'rows'].some((name) => Object.hasOwn(body, name))) return body
  return { ...body, metadata: marked(body['metadata']) }
}

function marked(metadata: Record<string, unknown>): Record<string, unknown> {
  const { resourceVersion, continue: token } = metadata
  return {
    ...metadata,
    ...(typeof resourceVersion === 'string' && isRevision(resourceVersion, 'resourceVersion')
      ? { resourceVersion: listMark + resourceVersion }
      : {}),
    ...(isRecord(token) ? { continue: marked(token) } : {}),
  }
}

/** Rank of the newest object at the revision of a list. */
function rankAt(revision: number, ranks: ReadonlyMap<string, string>): string {
  const older = [...ranks.keys()].filter((one) => Number(one) <= revision)
  return `${listMark}${ranks.get(older.at(-1) ?? '') ?? 'rv0'}`
}

function ranksOf(bodies: readonly unknown[]): Map<string, string> {
  const found = new Set<string>()
  renamed(bodies, '', (text, key) => {
    if (isRevision(text, key)) found.add(text)
    return text
  })
  const sorted = [...found].sort((a, b) => Number(a) - Number(b))
  return new Map(sorted.map((revision, index) => [revision, `rv${index + 1}`]))
}

function isRevision(text: string, key: string): boolean {
  return key === 'resourceVersion' && /^[1-9]\d*$/.test(text)
}

function renamed(
  value: unknown,
  key: string,
  rename: (text: string, key: string) => string,
): unknown {
  if (typeof value === 'string') return rename(value, key)
  if (typeof value === 'number' && value >= 30_000 && allocatedPorts.includes(key)) return 'port'
  if (Array.isArray(value)) {
    const inner = key === 'cells' ? 'cell' : ''
    return value.map((item) => renamed(item, inner, rename))
  }
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, renamed(inner, name, rename)]),
  )
}

function shown(
  text: string,
  key: string,
  { ranks, uids }: { ranks: Map<string, string>; uids: Map<string, string> },
): string {
  if (isRevision(text, key)) return ranks.get(text) ?? text
  if (text.startsWith(listMark)) return rankAt(Number(text.slice(listMark.length)), ranks)
  if (key === 'description' && text !== '') return '…'
  if (key === 'cell' && age.test(text)) return 'age'
  if (key === 'serverAddress') return 'address'
  return text
    .replaceAll(uuid, (uid) => {
      const known = uids.get(uid) ?? `uid${uids.size + 1}`
      uids.set(uid, known)
      return known
    })
    .replaceAll(second, 'time')
    .replaceAll(clusterAddress, 'address')
    .replaceAll(webToken, 'token')
    .replaceAll(generatedName, '$1~')
    .replaceAll(tooLarge, '$1…')
    .replaceAll(goType, '')
    .replaceAll(typeErrors, (lines) => lines.split('\n').sort().join('\n'))
    .replaceAll(patchResult, '$1{…}')
    .replaceAll(unknownFields, (list) => list.split(', ').sort().join(', '))
    .replaceAll(inRecord, '$1…')
    .replaceAll(storageKey, '$1…')
    .replaceAll(revisionInText, '$1…')
}
