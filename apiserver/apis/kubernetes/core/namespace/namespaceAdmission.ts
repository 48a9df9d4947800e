import { StatusError } from '../../../../meta/status.ts'
import { forbidden, notFound } from '../../../../meta/statusErrors.ts'
import { groupResource } from '../../../../registry/resource.ts'
import type { WriteGuard, GuardedWrite, ObjectName } from '../../../../registry/storeTypes.ts'
import type { ApiObject } from '../../../../meta/types.ts'

/** Objects are created only in namespaces that exist and are not on their way out. `newest` gives a namespace's newest
 *  state, or undefined. Source: the admission plugin NamespaceLifecycle. */
export function namespaceAdmission(
  newest: (target: ObjectName) => ApiObject | undefined,
): WriteGuard {
  return (request) => {
    if (request.operation !== 'create' || !request.resource.namespaced) return
    const namespace = newest({ namespace: '', name: request.namespace })
    if (namespace === undefined)
      throw notFound({ group: '', resource: 'namespaces' }, request.namespace)
    if (namespace.metadata.deletionTimestamp !== undefined) throw terminating(request)
  }
}

function terminating({ resource, namespace, name }: GuardedWrite): StatusError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const refusal = forbidden(groupResource(resource), name, why)
  return new StatusError(403, 'Forbidden', refusal.message, {
    details: {
      ...refusal.details,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  })
}
