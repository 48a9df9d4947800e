import { parseFieldSelector } from '../../meta/fieldSelector.ts'
import { pathSegmentErrors } from '../../meta/nameValidation.ts'
import { refusal } from '../refusal.ts'
import type { Exchange } from '../exchange.ts'
import type {
  AuthorizationAttributes,
  AuthorizationDecision,
} from '../../authorization/authorizer.ts'

/** Paths that every request may read. Source: reference 7.7. */
const openPath = /^\/(healthz|livez|readyz)(\/|$)|^\/version\/?$/

/** Refuses with 403 what the user may not do, before anything is looked up. Source: reference 1.1, 2.4. */
export function authorize(exchange: Exchange): void | Promise<void> {
  const attributes = attributesOf(exchange)
  if (!attributes.isResource && openPath.test(attributes.path)) return
  const decision = exchange.plane.authorize(attributes)
  if (decision instanceof Promise) {
    return decision.then((made) => obey(exchange, attributes, made))
  }
  obey(exchange, attributes, decision)
}

function obey(
  exchange: Exchange,
  attributes: AuthorizationAttributes,
  { allowed, reason }: AuthorizationDecision,
): void {
  noteDecision(exchange, allowed, reason)
  if (!allowed) throw refusal(exchange, attributes, reason)
}

/** Source: Kubernetes, "Audit Annotations". */
function noteDecision({ audit }: Exchange, allowed: boolean, reason: string): void {
  audit?.annotate('authorization.k8s.io/decision', allowed ? 'allow' : 'forbid')
  audit?.annotate('authorization.k8s.io/reason', reason)
}

function attributesOf(exchange: Exchange): AuthorizationAttributes {
  const { user, info, plane } = exchange
  const { verb, isResource, group, version, subresource, namespace, path } = info
  // A resource has one name to rules, whatever alias the path has.
  const resource = plane.resources.get(info, info.resource)?.plural ?? info.resource
  const name = info.name === '' ? selectedName(exchange) : info.name
  return { user, verb, isResource, group, version, resource, subresource, namespace, name, path }
}

/** A list or watch of one object by its name is a request for that name. Source: reference 1.4. */
export function selectedName({ info, query }: Exchange): string {
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
