import { goQuote } from '../../meta/goQuote.ts'
import { messageOf } from '../../meta/messageOf.ts'
import { StatusError } from '../../meta/status.ts'
import { parseFieldSelector } from '../../meta/selectors/fieldSelector.ts'
import { pathSegmentErrors } from '../../meta/names/nameValidation.ts'
import { refusal } from '../response/forbidden.ts'
import { writeText } from '../response/response.ts'
import type { ChainServices } from '../chainServices.ts'
import type { Exchange } from '../exchange.ts'
import type {
  AuthorizationAttributes,
  AuthorizationDecision,
} from '../../authorization/authorizer.ts'

/** Paths open to every request. Source: reference 7.7. */
const openPath = /^\/(healthz|livez|readyz)$|^\/version\/?$/

/** Refuses unauthorized requests with 403, before anything is looked up. Source: reference 1.1, 2.4. */
export function authorize(
  exchange: Exchange,
  { report }: Pick<ChainServices, 'report'>,
): void | Promise<void> {
  const attributes = attributesOf(exchange)
  if (!attributes.isResource && openPath.test(attributes.path)) return
  const undecided = (error: unknown): void => answerUndecided(exchange, error, report)
  let decision: ReturnType<typeof exchange.plane.authorize>
  try {
    decision = exchange.plane.authorize(attributes)
  } catch (error) {
    return undecided(error)
  }
  if (decision instanceof Promise) {
    return decision.then((made) => obey(exchange, attributes, made), undecided)
  }
  obey(exchange, attributes, decision)
}

/** Refuses a request if the authorizer failed. Source: reference 2.4. */
function answerUndecided(
  exchange: Exchange,
  error: unknown,
  report: ChainServices['report'],
): void {
  if (error instanceof StatusError) throw error
  report(error)
  const why = messageOf(error)
  const uri = goQuote(exchange.request.url ?? '')
  writeText(exchange, 500, `Internal Server Error: ${uri}: ${why}\n`)
}

function obey(
  exchange: Exchange,
  attributes: AuthorizationAttributes,
  { allowed, reason, shows, view }: AuthorizationDecision,
): void {
  noteDecision(exchange, allowed, reason)
  if (!allowed) throw refusal(exchange, attributes, reason)
  exchange.shows = shows
  exchange.view = view
}

/** Annotates the audit event with the decision. Source: Kubernetes, "Audit Annotations". */
function noteDecision({ audit }: Exchange, allowed: boolean, reason: string): void {
  audit?.annotate('authorization.k8s.io/decision', allowed ? 'allow' : 'forbid')
  audit?.annotate('authorization.k8s.io/reason', reason)
}

function attributesOf(exchange: Exchange): AuthorizationAttributes {
  const { user, info, plane } = exchange
  const { verb, isResource, group, version, subresource, namespace, path } = info
  // Rules use the resource's name, even if the path has an alias.
  const resource = plane.resources.get(info, info.resource)?.plural ?? info.resource
  const name = info.name === '' ? selectedName(exchange) : info.name
  return { user, verb, isResource, group, version, resource, subresource, namespace, name, path }
}

/**
 * The name in a field selector: a list or watch of one object is authorized as a request for that name. Source:
 * reference 1.4.
 */
export function selectedName({ info, query }: Exchange): string {
  const selector = query.get('fieldSelector') ?? ''
  if (selector === '' || (info.verb !== 'list' && info.verb !== 'watch')) return ''
  try {
    const name = parseFieldSelector(selector).requiresExact('metadata.name') ?? ''
    return pathSegmentErrors(name).length === 0 ? name : ''
  } catch {
    // The handler refuses malformed selectors.
    return ''
  }
}
