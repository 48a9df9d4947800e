import { isObject } from '../../apiserver/meta/json/isObject.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { isPlaneError, type PlaneClient, type PlaneResource } from '../client/planeClient.ts'
import type { Markers } from '../names/markers.ts'
import { jsonText, parseExact } from '../../apiserver/meta/json/exactJson.ts'

/**
 * Recreating a virtual object takes several writes, so the new object is first recorded in a note
 * on the host object. After an interruption the recreation is completed. While the note exists, a
 * missing virtual object does not count as deleted.
 */

const deletionBlockedMs = 120_000

/**
 * The host object with a note. `object` is derived from `virtual`, which is only deleted in its current state: a
 * concurrent change invalidates the note.
 */
export function planRecreation(
  host: ApiObject,
  object: ApiObject,
  { virtual, marks }: { virtual: ApiObject; marks: Markers },
): ApiObject {
  const { uid, resourceVersion } = virtual.metadata
  const note = jsonText({ uid, resourceVersion, object })
  const annotations = { ...host.metadata.annotations, [marks.recreated]: note }
  return { ...host, metadata: { ...host.metadata, annotations } }
}

interface Planes {
  virtualClient: PlaneClient
  hostClient: PlaneClient
  resource: PlaneResource
  marks: Markers
}

/**
 * Completes a note from any intermediate state. Undefined: no note.
 * @throws PlaneError.
 */
export async function finishRecreation(
  virtual: ApiObject | undefined,
  host: ApiObject,
  planes: Planes,
): Promise<{ virtual: ApiObject; host: ApiObject } | undefined> {
  const { marks, resource, hostClient } = planes
  const { [marks.recreated]: text, ...annotations } = host.metadata.annotations ?? {}
  if (text === undefined) return undefined
  const note = readNote(text)
  const isVoid = note === undefined || (virtual !== undefined && !isNoted(virtual, note))
  const made = isVoid ? virtual : await makeAnew(note, planes)
  const uid = made?.metadata.uid ?? annotations[marks.objectUid] ?? ''
  const metadata = { ...host.metadata, annotations: { ...annotations, [marks.objectUid]: uid } }
  const written = await hostClient.replace(resource, { ...host, metadata })
  return made && { virtual: made, host: written }
}

/** Recreates the object; undefined: its namespace is gone, so it cannot exist. */
async function makeAnew(
  { uid, resourceVersion, object }: Note,
  { virtualClient, resource }: Planes,
): Promise<ApiObject | undefined> {
  const { name = '', namespace = '' } = object.metadata
  try {
    await virtualClient.delete(resource, { name, namespace }, uid, resourceVersion)
    return await virtualClient.create(resource, object)
  } catch (error) {
    // The object was changed before it could be deleted, or another one was created.
    if (isPlaneError(error, 409)) return virtualClient.get(resource, { name, namespace })
    if (isPlaneError(error, 404)) return undefined
    throw error
  }
}

interface Note {
  uid: string
  resourceVersion: string
  object: ApiObject
}

function isNoted({ metadata }: ApiObject, { uid, resourceVersion }: Note): boolean {
  return metadata.uid === uid && metadata.resourceVersion === resourceVersion
}

/** Reads a note; an invalid one counts as missing. */
function readNote(text: string): Note | undefined {
  try {
    const note: unknown = parseExact(text)
    if (!isObject(note) || !isObject(note.object)) return undefined
    if (typeof note.uid !== 'string' || typeof note.resourceVersion !== 'string') return undefined
    if (!isObject(note.object.metadata)) return undefined
    // Sound: only objects are recorded, and the API refuses anything else.
    return note as unknown as Note
  } catch {
    return undefined
  }
}

/** Time in milliseconds during which a host object must not be deleted; 0: none. Source: platform facts 6.10. */
export function blocksDeletionMs({ metadata }: ApiObject, marks: Markers, nowMs: number): number {
  if (metadata.annotations?.[marks.blockDeletion] !== 'true') return 0
  const madeMs = Date.parse(metadata.creationTimestamp ?? '')
  return Number.isNaN(madeMs) ? 0 : Math.max(0, madeMs + deletionBlockedMs - nowMs)
}
