import type { AuthorizationAttributes } from '../authorization/authorizer.ts'
import type { Exchange } from './exchange.ts'
import { refusal } from './refusal.ts'
import type { Target } from './target.ts'

/** A write of another verb that would create an object needs the right to create it too. @throws StatusError Forbidden.
 *  Source: reference 3.3, 3.9. */
export async function checkCreatePermission(
  exchange: Exchange,
  { resource, store, object }: Target,
): Promise<void> {
  if (store.options.storage.newest(store.keyOf(object)) !== undefined) return
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
    subresource: '',
    ...object,
  }
  const { allowed, reason } = await plane.authorize(attributes)
  if (!allowed) throw refusal(exchange, attributes, reason)
}
