import type { ApiObject, ObjectMeta } from '../../apiserver/meta/types.ts'
import { hostLabels } from '../names/labels.ts'
import type { Markers } from '../names/markers.ts'
import type { ObjectName } from '../names/naming.ts'
import type { KindRules, Translation } from './kindRules.ts'

type Texts = Record<string, string>

/**
 * Annotations to copy, without the engine's own annotations and annotations that the kind excludes.
 */
export function copiedAnnotations(
  { metadata }: ApiObject,
  rules: Pick<KindRules, 'isExcluded'>,
  { prefix }: Markers,
): Texts {
  const isCopied = (key: string) => !key.startsWith(prefix) && !rules.isExcluded(key)
  return Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([key]) => isCopied(key)),
  )
}

/**
 * The metadata of a new host copy, without the markers.
 * Source: platform facts 6.8.
 */
export function copiedMetadata(
  virtual: ApiObject,
  rules: KindRules,
  { naming, marks }: Translation,
): ObjectMeta {
  const labels = hostLabels(virtual.metadata.labels ?? {}, naming.virtualCluster, marks)
  const annotations = copiedAnnotations(virtual, rules, marks)
  return {
    ...(Object.keys(labels).length > 0 ? { labels: { ...labels } } : {}),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  }
}

/**
 * The object with its markers and its place on the host, which override changes by patches. Source: platform facts 6.8.
 */
export function withMarkers(
  host: ApiObject,
  virtual: ApiObject,
  at: { place: ObjectName; rules: KindRules; translation: Translation },
): ApiObject {
  const { place, rules, translation } = at
  const { naming, marks } = translation
  const { name = '', namespace = '', uid = '' } = virtual.metadata
  const { apiVersion, kind } = rules.resource
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  const { metadata } = host
  return {
    ...host,
    metadata: {
      ...metadata,
      ...place,
      labels: {
        ...metadata.labels,
        [marks.managedBy]: naming.virtualCluster,
        [marks.namespace]: namespace,
      },
      annotations: {
        ...withoutMarkers(metadata.annotations, marks),
        [marks.objectName]: name,
        [marks.objectNamespace]: namespace,
        [marks.objectUid]: uid,
        [marks.objectKind]: `${group}/${version}, Kind=${kind}`,
        [marks.objectHostName]: place.name,
        [marks.objectHostNamespace]: place.namespace,
        ...copiedKeys(virtual, rules, translation),
      },
    },
  }
}

/**
 * Keys copied from the virtual object: after a restart they reveal which ones were removed in the
 * meantime.
 */
function copiedKeys(virtual: ApiObject, rules: KindRules, { naming, marks }: Translation): Texts {
  const annotations = Object.keys(copiedAnnotations(virtual, rules, marks))
  const labels = Object.keys(
    hostLabels(virtual.metadata.labels ?? {}, naming.virtualCluster, marks),
  )
  return {
    ...(annotations.length > 0
      ? { [marks.managedAnnotations]: annotations.sort().join('\n') }
      : {}),
    ...(labels.length > 0 ? { [marks.managedLabels]: labels.sort().join('\n') } : {}),
  }
}

/** Removes markers; markers that other clients set are kept. */
function withoutMarkers(annotations: Texts | undefined, marks: Markers): Texts {
  const { managedAnnotations, managedLabels } = marks
  return Object.fromEntries(
    Object.entries(annotations ?? {}).filter(
      ([key]) => key !== managedAnnotations && key !== managedLabels,
    ),
  )
}

/** The keys in a marker written by `copiedKeys`. */
export function readCopiedKeys({ metadata }: ApiObject, marker: string): Set<string> {
  const text = metadata.annotations?.[marker] ?? ''
  return new Set(text === '' ? [] : text.split('\n'))
}
