import { notFound } from '../../../meta/statusErrors.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import type { NamespaceLookup } from '../../selectors.ts'

/** Refuses writes in a namespace that does not exist. Source: Kubernetes, NamespaceExists. */
export function namespaceExists(lookup: NamespaceLookup): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    handles: ({ operation, resource }) => operation !== 'CONNECT' && resource.namespaced,
    validate: ({ namespace }) => {
      if (lookup(namespace) !== undefined) return
      throw notFound({ group: '', resource: 'namespaces' }, namespace)
    },
  }
}
