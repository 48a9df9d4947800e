import { goQuote } from '../../meta/goQuote.ts'
import type { AuthorizationAttributes } from '../../authorization/authorizer.ts'

/** The message of a 403: user, verb, resource and scope. Source: reference 2.4. */
export function refusalText(attributes: Omit<AuthorizationAttributes, 'version' | 'name'>): string {
  const { user, verb, group, resource, subresource, namespace } = attributes
  const who = `User ${goQuote(user.name)} cannot ${verb}`
  if (!attributes.isResource) return `${who} path ${goQuote(attributes.path)}`
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`
  return `${who} resource ${goQuote(what)} in API group ${goQuote(group)} ${where}`
}
