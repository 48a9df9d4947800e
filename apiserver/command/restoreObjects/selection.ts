/** Selected objects of a plane. */
export interface Selection {
  /** Namespace; undefined: every namespace, and cluster-scoped objects. */
  namespace: string | undefined
  /**
   * Plural name, followed by a dot and the group unless it is the core group: `deployments.apps`. Undefined: every
   * resource.
   */
  resource: string | undefined
  /** Name; undefined: every name. */
  name: string | undefined
}

/**
 * Predicate for the keys of selected objects of a plane. The Namespace itself belongs to the objects in it, because
 * they cannot be restored without it.
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
  /** Plural name and group, in the form of a selection. */
  resource: string
  namespace: string | undefined
  name: string
}

/** Parses the key of an object, below the prefix of its plane. */
function placeOf(key: string): Place {
  const [group = '', plural = '', ...place] = key.split('/')
  const [name = '', namespace] = place.toReversed()
  return { resource: group === 'core' ? plural : `${plural}.${group}`, namespace, name }
}
