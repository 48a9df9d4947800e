/** Selects objects of a plane. */
export interface Selection {
  /** Namespace; undefined: all namespaces, and cluster-scoped objects. */
  namespace: string | undefined
  /**
   * Plural, followed by a dot and the group unless it is in the core group: `deployments.apps`.
   * Undefined: all resources.
   */
  resource: string | undefined
  /** Name; undefined: all names. */
  name: string | undefined
}

/**
 * Predicate for the keys of selected objects of a plane. A Namespace counts as an object of its own
 * namespace, because the other objects cannot be restored without it.
 */
export function selectKeys(
  prefix: string,
  { namespace, resource, name }: Selection,
): (key: string) => boolean {
  const isSelected = (has: Place) =>
    (resource === undefined || resource === has.resource) &&
    (namespace === undefined || namespace === has.namespace) &&
    (name === undefined || name === has.name)
  return (key) => {
    if (!key.startsWith(prefix)) return false
    const place = placeOf(key.slice(prefix.length))
    const isItsNamespace = place.resource === 'namespaces' && place.name === namespace
    return isSelected(place) || (isItsNamespace && resource === undefined)
  }
}

interface Place {
  /** Plural and group, in the format of a selection. */
  resource: string
  namespace: string | undefined
  name: string
}

/** Parses an object's key without the prefix of its plane. */
function placeOf(key: string): Place {
  const [group = '', plural = '', ...place] = key.split('/')
  const [name = '', namespace] = place.toReversed()
  return { resource: group === 'core' ? plural : `${plural}.${group}`, namespace, name }
}
