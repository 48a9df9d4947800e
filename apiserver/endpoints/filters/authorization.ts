import { parseFieldSelector } from '../../meta/fieldSelector.ts'
import { pathSegmentErrors } from '../../meta/nameValidation.ts'
import { forbidden, forbiddenPath } from '../../meta/statusErrors.ts'
import { refusalText } from '../refusalText.ts'
import type { Exchange } from '../exchange.ts'
import type { AuthorizationAttributes, AuthorizationDecision } from '../authorizer.ts'

/** Paths that every request may read. Source: reference 7.7. */
const openPath = /^\/(healthz|livez|readyz)(\/|$)|^\/version\/?$/

/** Refuses with 403 what the user may not do, before anything is looked up. Source: reference 1.1, 2.4. */
export function authorize(exchange: Exchange): void | Promise<void> {
  const attributes = attributesOf(exchange)
  if (!attributes.isResource && openPath.test(attributes.path)) return
  const decision = exchange.plane.authorize(attributes)
  if (decision instanceof Promise) {
    return decision.then((made) => refuseUnlessAllowed(exchange, attributes, made))
  }
  refuseUnlessAllowed(exchange, attributes, decision)
}

function refuseUnlessAllowed(
  exchange: Exchange,
  attributes: AuthorizationAttributes,
  { allowed, reason }: AuthorizationDecision,
): void {
  if (allowed) return
  exchange.response.setHeader('X-Content-Type-Options', 'nosniff')
  const why = escapeHtml(refusalText(attributes)) + (reason === '' ? '' : `: ${reason}`)
  if (!attributes.isResource) throw forbiddenPath(why)
  const { group, resource, name } = attributes
  throw forbidden({ group, resource }, name, why)
}

function attributesOf(exchange: Exchange): AuthorizationAttributes {
  const { user, info } = exchange
  const { verb, isResource, group, version, resource, subresource, namespace, path } = info
  const name = info.name === '' ? selectedName(exchange) : info.name
  return { user, verb, isResource, group, version, resource, subresource, namespace, name, path }
}

/** A list or watch of one object by its name is a request for that name. Source: reference 1.4. */
function selectedName({ info, query }: Exchange): string {
  const selector = query.get('fieldSelector') ?? ''
  if (selector === '' || (info.verb !== 'list' && info.verb !== 'watch')) return ''
  try {
    const name = parseFieldSelector(selector).requiresExact('metadata.name') ?? ''
    return pathSegmentErrors(name).length === 0 ? name : ''
  } catch {
    // The handler refuses what cannot be read.
    return ''
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
