/** Objects of a plane that a user chose. */
export interface Selection {
  /** Undefined: every namespace, and objects without one. */
  namespace: string | undefined
  /** Plural name, with a dot and the group after it if it is not the core group: `deployments.apps`. Undefined: every one. */
  resource: string | undefined
  /** Undefined: every name. */
  name: string | undefined
}

/**
 * Recognizes keys of the selected objects of a plane. The Namespace itself belongs to the objects in it, because they cannot be
 * restored without it.
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
  /** Plural name and group, written as in a selection. */
  resource: string
  namespace: string | undefined
  name: string
}

/** Reads the key of an object, below the prefix of its plane. */
function placeOf(key: string): Place {
  const [group = '', plural = '', ...place] = key.split('/')
  const [name = '', namespace] = place.toReversed()
  return { resource: group === 'core' ? plural : `${plural}.${group}`, namespace, name }
}
