import { forbiddenField } from '../../../meta/fieldErrors.ts'
import { invalid } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { Strategy } from '../../../registry/strategy.ts'
import type { KindContext } from '../builtInKind.ts'
import type { DeviceClaim } from '../shapes/resourceV1.ts'

const label = 'resource.kubernetes.io/admin-access'
const needed = `admin access to devices requires the \`${label}: true\` label on the containing namespace`

interface GuardedKind {
  kind: string
  /** Path of the devices of an object. */
  path: string
  claimOf: (object: ApiObject) => DeviceClaim | undefined
}

/**
 * Allows admin access to devices, which others may be using, only in namespaces labelled for it.
 * Source: Kubernetes API reference, ExactDeviceRequest v1, `adminAccess`.
 */
export function guardsAdminAccess(
  access: KindContext['access'],
  { kind, path, claimOf }: GuardedKind,
): NonNullable<Strategy['authorizeWrite']> {
  return (next, old, context) => {
    // The devices of an existing claim are immutable.
    if (old !== undefined) return Promise.resolve()
    const asking = (claimOf(next)?.requests ?? []).flatMap((request, at) =>
      request.exactly?.adminAccess === true ? [`${path}.requests[${at}].adminAccess`] : [],
    )
    if (asking.length === 0) return Promise.resolve()
    const { name = '', namespace = '' } = next.metadata
    const namespaces = access.of(context).store({ group: '', resource: 'namespaces' })
    const { object } = namespaces.newest({ namespace: '', name: namespace })
    if (object.metadata.labels?.[label] === 'true') return Promise.resolve()
    const group = 'resource.k8s.io'
    const errors = asking.map((field) => forbiddenField(field, needed))
    throw invalid({ group, kind }, name, errors)
  }
}
