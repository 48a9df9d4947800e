import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { Markers } from '../names/markers.ts'
import type { ObjectName } from '../names/naming.ts'

/**
 * The virtual object of a host copy; undefined: it is not a copy of this virtual cluster.
 * Source: platform facts 6.8, 6.9.
 */
export function virtualNameOf(
  { metadata }: ApiObject,
  kind: string,
  { marks, virtualCluster }: { marks: Markers; virtualCluster: string },
): ObjectName | undefined {
  const { labels = {}, annotations = {} } = metadata
  if (labels[marks.managedBy] !== virtualCluster) return undefined
  const says = (marker: string) => annotations[marker] ?? ''
  const name = says(marks.objectName)
  const namespace = says(marks.objectNamespace)
  const isOfKind = isEmptyOr(says(marks.objectKind), (text) => text.endsWith(`, Kind=${kind}`))
  const isHere =
    isEmptyOr(says(marks.objectHostName), (text) => text === metadata.name) &&
    isEmptyOr(says(marks.objectHostNamespace), (text) => text === metadata.namespace)
  return name !== '' && isOfKind && isHere ? { name, namespace } : undefined
}

/** Reports whether a host copy belongs to another virtual object that formerly had the same name. */
export function isOfAnother(host: ApiObject, virtual: ApiObject, marks: Markers): boolean {
  const uid = host.metadata.annotations?.[marks.objectUid] ?? ''
  return uid !== '' && uid !== virtual.metadata.uid
}

/** Reports whether another syncer has claimed the object. */
export function isControlledByOther(object: ApiObject | undefined, marks: Markers): boolean {
  const { labels = {}, annotations = {} } = object?.metadata ?? {}
  return (labels[marks.controlledBy] ?? '') !== '' || (annotations[marks.controlledBy] ?? '') !== ''
}

function isEmptyOr(text: string, holds: (text: string) => boolean): boolean {
  return text === '' || holds(text)
}
