import type { AuthorizationAttributes } from '../../authorization/authorizer.ts'
import type { Exchange } from '../exchange.ts'
import { refusedRight } from '../response/forbidden.ts'
import type { Target } from '../target.ts'

/**
 * Checks the right to create when another verb creates an object. Called when it turns out to be
 * missing, since an existing object may disappear until then. @throws StatusError Forbidden.
 * Source: reference 3.3, 3.9.
 */
export async function checkCreatePermission(
  exchange: Exchange,
  { resource, object, subresource }: Pick<Target, 'resource' | 'object' | 'subresource'>,
): Promise<void> {
  const { user, plane, path } = exchange
  const { group, version, plural } = resource
  const attributes: AuthorizationAttributes = {
    user,
    path,
    verb: 'create',
    isResource: true,
    group,
    version,
    resource: plural,
    subresource: subresource?.name ?? '',
    ...object,
  }
  const { allowed, reason } = await plane.authorize(attributes)
  if (!allowed) throw refusedRight(attributes, reason)
}
