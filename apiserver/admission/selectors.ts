import { isEmptySelector, selectorMatches } from '../apis/kubernetes/labelSelection.ts'
import type { LabelSelector } from '../apis/kubernetes/shapes/metaV1.ts'
import { notFound } from '../meta/statusErrors.ts'
import type { ApiObject } from '../meta/types.ts'
import type { AdmissionRequest } from '../registry/admission.ts'

/** The newest state of a namespace. */
export type NamespaceLookup = (name: string) => ApiObject | undefined

/** The namespace of a request; for a namespace, its own name. */
export function namespaceOf({ resource, namespace, name, object }: AdmissionRequest): string {
  if (!isNamespace(resource)) return namespace
  return name === '' ? (object?.metadata.name ?? '') : name
}

export function isNamespace({ group, plural }: { group: string; plural: string }): boolean {
  return group === '' && plural === 'namespaces'
}

/**
 * Reports whether the namespace of a request has the labels. Cluster-scoped objects always match.
 * @throws StatusError NotFound if the namespace does not exist.
 */
export function namespaceMatches(
  selector: LabelSelector,
  request: AdmissionRequest,
  lookup: NamespaceLookup,
): boolean {
  if (isEmptySelector(selector)) return true
  const { resource, subresource, object, namespace } = request
  if (isNamespace(resource)) {
    const own = subresource === '' ? object : undefined
    const labels = (own ?? request.oldObject ?? lookup(namespaceOf(request)))?.metadata.labels
    return selectorMatches(selector, labels)
  }
  if (!resource.namespaced) return true
  const found = lookup(namespace)
  if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace)
  return selectorMatches(selector, found.metadata.labels)
}

/** Reports whether the selector matches the object or the old object. */
export function objectMatches(
  selector: LabelSelector,
  { object, oldObject }: AdmissionRequest,
): boolean {
  if (isEmptySelector(selector)) return true
  return [object, oldObject].some(
    (one) => one !== undefined && selectorMatches(selector, labelsOf(one)),
  )
}

/** Labels of an object; the options of a connection have no metadata. */
function labelsOf(object: ApiObject): Record<string, string> | undefined {
  return (object as Partial<ApiObject>).metadata?.labels
}
