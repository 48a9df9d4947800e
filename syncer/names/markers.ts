import { hash } from 'node:crypto'
import { safeConcat } from '../../apiserver/meta/names/hostName.ts'
import { instanceMark, spaceMark } from '../../apiserver/meta/names/namespaceMarks.ts'

/**
 * Labels and annotations that link a host object to its virtual one, spelt according to the names profile.
 * Source: platform facts 6.8.
 */
export interface Markers {
  /** `vcluster.<domain>/`: keys below it are never copied. */
  prefix: string
  managedBy: string
  namespace: string
  controlledBy: string
  /** Prefix of namespace labels on objects in the namespace. */
  namespaceLabel: string
  objectName: string
  objectNamespace: string
  objectUid: string
  objectKind: string
  objectHostName: string
  objectHostNamespace: string
  /** The keys of copied annotations, sorted, one per line. */
  managedAnnotations: string
  /** The keys of copied labels, in the same form. */
  managedLabels: string
  skipBacksync: string
  blockDeletion: string
  /** Annotation of a host Service: the virtual Service that is about to be recreated. */
  recreated: string
  /** Annotation of a virtual object: the host object `namespace/name` it was imported from. */
  importedFrom: string
  /** Annotations of a host namespace that is a space, or that a virtual cluster is synced to: its owner. */
  namespaceOwners: readonly string[]
}

export function markers(domain: string): Markers {
  const prefix = `vcluster.${domain}/`
  const key = (name: string) => `${prefix}${name}`
  return {
    prefix,
    managedBy: key('managed-by'),
    namespace: key('namespace'),
    controlledBy: key('controlled-by'),
    namespaceLabel: key('ns-label'),
    objectName: key('object-name'),
    objectNamespace: key('object-namespace'),
    objectUid: key('object-uid'),
    objectKind: key('object-kind'),
    objectHostName: key('object-host-name'),
    objectHostNamespace: key('object-host-namespace'),
    managedAnnotations: key('managed-annotations'),
    managedLabels: key('managed-labels'),
    skipBacksync: key('skip-backsync'),
    blockDeletion: key('block-deletion'),
    recreated: key('recreated-service'),
    importedFrom: key('imported-from'),
    namespaceOwners: [spaceMark({ domain }), instanceMark({ domain })],
  }
}

/**
 * The host form of a label key that must not be copied unchanged.
 * Source: platform facts 6.8.
 */
export function hostLabelKey(key: string, virtualCluster: string, marks: Markers): string {
  return rewritten(marks).includes(key) ? translatedKey(key, virtualCluster, marks) : key
}

/** The virtual form of a label key; the key itself if `hostLabelKey` did not translate it. */
export function virtualLabelKey(key: string, virtualCluster: string, marks: Markers): string {
  const original = rewritten(marks).find(
    (candidate) => translatedKey(candidate, virtualCluster, marks) === key,
  )
  return original ?? key
}

function rewritten({ namespace, managedBy, controlledBy }: Markers): string[] {
  return ['release', namespace, managedBy, controlledBy]
}

const longestPrefix = 40

/**
 * Translates a key. A long domain before a name is not truncated, because the rest would not be a
 * valid key.
 */
function translatedKey(key: string, virtualCluster: string, { prefix }: Markers): string {
  const digest = hash('sha256', key).slice(0, 10)
  return prefix.length > longestPrefix
    ? prefix + safeConcat('label', virtualCluster, 'x', digest)
    : safeConcat(`${prefix}label`, virtualCluster, 'x', digest)
}

/** Reports whether a label of a virtual object has a host form. */
export function looksTranslated(key: string, { prefix, namespaceLabel }: Markers): boolean {
  return key.startsWith(`${prefix}label-`) || key.startsWith(namespaceLabel)
}
