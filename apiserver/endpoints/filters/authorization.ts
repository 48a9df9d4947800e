import { goQuote } from '../../meta/goQuote.ts'
import { forbidden, forbiddenPath } from '../../meta/statusErrors.ts'
import type { Exchange } from '../exchange.ts'
import type { AuthorizationAttributes } from '../authorizer.ts'

/** Paths that every request may read. Source: reference 7.7. */
const openPath = /^\/(healthz|livez|readyz)(\/|$)|^\/version\/?$/

/** Refuses with 403 what the user may not do, before anything is looked up. Source: reference 1.1, 2.4. */
export async function authorize(exchange: Exchange): Promise<void> {
  const attributes = attributesOf(exchange)
  if (!attributes.isResource && openPath.test(attributes.path)) return
  const { allowed, reason } = await exchange.plane.authorize(attributes)
  if (allowed) return
  exchange.response.setHeader('X-Content-Type-Options', 'nosniff')
  const why = escapeHtml(refusal(attributes)) + (reason === '' ? '' : `: ${reason}`)
  if (!attributes.isResource) throw forbiddenPath(why)
  const { group, resource, name } = attributes
  throw forbidden({ group, resource }, name, why)
}

function attributesOf({ user, info }: Exchange): AuthorizationAttributes {
  const { verb, isResource, group, version, resource, subresource, namespace, name, path } = info
  return { user, verb, isResource, group, version, resource, subresource, namespace, name, path }
}

function refusal(attributes: AuthorizationAttributes): string {
  const { user, verb, group, resource, subresource, namespace } = attributes
  const who = `User ${goQuote(user.name)} cannot ${verb}`
  if (!attributes.isResource) return `${who} path ${goQuote(attributes.path)}`
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`
  return `${who} resource ${goQuote(what)} in API group ${goQuote(group)} ${where}`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
