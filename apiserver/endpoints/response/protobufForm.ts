import { hasProtobuf } from '../../encoding/protobuf/kindIndex.ts'
import { plainError } from '../../meta/statusErrors.ts'
import { Pace } from '../../meta/waiting/pace.ts'
import type { GroupVersionKind, ListMeta } from '../../meta/types.ts'
import { decodeObject } from '../../registry/objectBytes.ts'
import { listKindOf, type ResourceDefinition } from '../../registry/resource.ts'
import type { Entry } from '../../watch/cacheEntry.ts'
import type { Exchange } from '../exchange.ts'

/**
 * Protobuf form of responses. JSON is the stored form; protobuf is encoded on demand, and cached as long as the JSON
 * bytes live.
 */

const known = new WeakMap<ResourceDefinition, boolean>()

/** Reports whether a kind has a protobuf form, like all kinds of the built-in groups. */
export function servesProtobuf(resource: ResourceDefinition): boolean {
  let answer = known.get(resource)
  if (answer === undefined) {
    answer = hasProtobuf(resource)
    known.set(resource, answer)
  }
  return answer
}

/** Encodes a value with kind and apiVersion: an object, a list, a Status. */
export function protobufBody({ protobuf }: Exchange, value: unknown): Promise<Buffer> {
  if (typeof value !== 'object' || value === null)
    throw plainError('only objects have a protobuf form')
  return protobuf.encode(value, kindOf(value))
}

function kindOf(value: object): GroupVersionKind {
  const { kind, apiVersion } = value as { kind?: unknown; apiVersion?: unknown } // read and checked below
  // Some discovery documents omit their version, which is v1.
  const parts = (typeof apiVersion === 'string' ? apiVersion : 'v1').split('/')
  const version = parts.pop() ?? ''
  return { group: parts[0] ?? '', version, kind: typeof kind === 'string' ? kind : '' }
}

// Keyed by stored bytes, which are immutable and collected when neither a cache nor an event refers to them.
const bodies = new WeakMap<Buffer, Buffer>()
const messages = new WeakMap<Buffer, Buffer>()

/** Encodes a stored object. */
export async function storedAsProtobuf(
  { protobuf }: Exchange,
  resource: ResourceDefinition,
  bytes: Buffer,
): Promise<Buffer> {
  let body = bodies.get(bytes)
  if (body === undefined) {
    const codec = await protobuf.load(resource)
    body = codec.encode(decodeObject(bytes))
    bodies.set(bytes, body)
  }
  return body
}

export async function documentAsProtobuf(exchange: Exchange, json: Buffer): Promise<Buffer> {
  let body = bodies.get(json)
  if (body === undefined) {
    const value: unknown = JSON.parse(json.toString('utf8'))
    body = await protobufBody(exchange, value)
    bodies.set(json, body)
  }
  return body
}

/** Encodes stored objects as a list; other requests have their turn in between. */
export async function listAsProtobuf(
  { protobuf }: Exchange,
  resource: ResourceDefinition,
  { metadata, entries }: { metadata: ListMeta; entries: readonly Entry[] },
): Promise<Buffer> {
  const item = await protobuf.load(resource)
  const list = await protobuf.load({ ...groupVersion(resource), kind: listKindOf(resource) })
  const pace = new Pace()
  const items: Buffer[] = []
  for (const { bytes } of entries) {
    let message = messages.get(bytes)
    if (message === undefined) {
      message = item.encodeMessage(decodeObject(bytes))
      messages.set(bytes, message)
      await pace.rest()
    }
    items.push(message)
  }
  return list.encodeList({ metadata }, items)
}

function groupVersion({ group, version }: ResourceDefinition): { group: string; version: string } {
  return { group, version }
}
