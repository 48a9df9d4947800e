import { isObject } from '../../apiserver/meta/json/isObject.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { isPlaneError, type PlaneClient, type PlaneResource } from '../client/planeClient.ts'
import type { Markers } from '../names/markers.ts'
import { jsonText, parseExact } from '../../apiserver/meta/json/exactJson.ts'

/** Making a virtual object anew is more than one write, so what is to be made is noted on the host object first: whoever
 *  comes after an interruption finishes it, and while the note is there a missing virtual object means nothing. */

const deletionBlockedMs = 120_000

/** The host object with the note. `object` was made of `virtual`, which is to go only as it is now: what somebody changes
 *  meanwhile makes the note void. */
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

/** Does what a note says, from wherever that stopped. Undefined: there is no note.
 *  @throws PlaneError. */
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

/** Undefined: it is not to be there, since its namespace has gone too. */
async function makeAnew(
  { uid, resourceVersion, object }: Note,
  { virtualClient, resource }: Planes,
): Promise<ApiObject | undefined> {
  const { name = '', namespace = '' } = object.metadata
  try {
    await virtualClient.delete(resource, { name, namespace }, uid, resourceVersion)
    return await virtualClient.create(resource, object)
  } catch (error) {
    // It was changed before it could be deleted, or another one was made.
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

/** A note that somebody spoilt is as good as none. */
function readNote(text: string): Note | undefined {
  try {
    const note: unknown = parseExact(text)
    if (!isObject(note) || !isObject(note.object)) return undefined
    if (typeof note.uid !== 'string' || typeof note.resourceVersion !== 'string') return undefined
    if (!isObject(note.object.metadata)) return undefined
    // Only objects are noted, and the API refuses what is none.
    return note as unknown as Note
  } catch {
    return undefined
  }
}

/** How long a host object is not to be deleted yet, in milliseconds; 0: not at all. Source: platform facts 6.10. */
export function blocksDeletionMs({ metadata }: ApiObject, marks: Markers, nowMs: number): number {
  if (metadata.annotations?.[marks.blockDeletion] !== 'true') return 0
  const madeMs = Date.parse(metadata.creationTimestamp ?? '')
  return Number.isNaN(madeMs) ? 0 : Math.max(0, madeMs + deletionBlockedMs - nowMs)
}
