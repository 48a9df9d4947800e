import { StatusError } from '../../../../meta/status.ts'
import { forbidden, notFound } from '../../../../meta/statusErrors.ts'
import { groupResource } from '../../../../registry/resource.ts'
import type { WriteGuard, GuardedWrite, ObjectName } from '../../../../registry/storeTypes.ts'
import type { ApiObject } from '../../../../meta/types.ts'

/**
 * Admits objects only in namespaces that exist and are not terminating. `newest` returns the newest
 * state of a namespace, or undefined. Source: the admission plugin NamespaceLifecycle.
 */
export function namespaceAdmission(
  newest: (target: ObjectName) => ApiObject | undefined,
): WriteGuard {
  return (request) => {
    if (request.operation !== 'create' || !request.resource.namespaced) return
    admitInNamespace(newest({ namespace: '', name: request.namespace }), request)
  }
}

type NamespacedWrite = Pick<GuardedWrite, 'resource' | 'namespace' | 'name'>

/** Refuses a create in a namespace that is missing or terminating. @throws StatusError NotFound, Forbidden. */
export function admitInNamespace(found: ApiObject | undefined, write: NamespacedWrite): void {
  if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, write.namespace)
  if (found.metadata.deletionTimestamp !== undefined) throw terminating(write)
}

function terminating({ resource, namespace, name }: NamespacedWrite): StatusError {
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
