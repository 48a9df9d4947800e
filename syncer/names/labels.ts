import { hostLabelKey, looksTranslated, virtualLabelKey, type Markers } from './markers.ts'

type Labels = Readonly<Record<string, string>>

/**
 * The labels of a virtual object in host form, without the markers.
 * Source: platform facts 6.8.
 */
export function hostLabels(labels: Labels, virtualCluster: string, marks: Markers): Labels {
  const kept = Object.entries(labels).filter(([key]) => !looksTranslated(key, marks))
  return Object.fromEntries(
    kept.map(([key, value]) => [hostLabelKey(key, virtualCluster, marks), value]),
  )
}

/** The labels of a host object without the markers, in host form. */
export function ownHostLabels(labels: Labels, marks: Markers): Labels {
  const { managedBy, namespace, controlledBy, namespaceLabel } = marks
  const removed = [managedBy, namespace, controlledBy]
  return Object.fromEntries(
    Object.entries(labels).filter(
      ([key]) => !removed.includes(key) && !key.startsWith(namespaceLabel),
    ),
  )
}

/** The labels of a host object in virtual form. Source: platform facts 6.8. */
export function virtualLabels(labels: Labels, virtualCluster: string, marks: Markers): Labels {
  const own = Object.entries(ownHostLabels(labels, marks))
  return Object.fromEntries(
    own.map(([key, value]) => [virtualLabelKey(key, virtualCluster, marks), value]),
  )
}

/** A selector for copies of the objects that `selector` matches. Source: platform facts 6.10. */
export function hostSelector(
  selector: Labels,
  { virtualCluster, namespace }: { virtualCluster: string; namespace: string },
  marks: Markers,
): Labels {
  return {
    ...hostLabels(selector, virtualCluster, marks),
    [marks.managedBy]: virtualCluster,
    [marks.namespace]: namespace,
  }
}
