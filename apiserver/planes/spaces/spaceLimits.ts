import { PlaneAccess } from '../../apis/planeAccess.ts'
import type {
  AuthorizationAttributes,
  AuthorizationDecision,
  Authorizer,
} from '../../authorization/authorizer.ts'
import type { HeldRules, ScopeCheck } from '../../authorization/planeAuthorizer.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { OpenedPlane } from '../openedPlane.ts'

export interface SpaceLimits {
  /** The one namespace of the host cluster. */
  namespace: string
  /** Of the space, not of its host. */
  scopeAllows: ScopeCheck
}

type Request = AuthorizationAttributes

/** What the host cluster lets a user do, as far as it is in the space's namespace and in the scope of the credential. The
 *  kinds of the plane are told the same, so that reviews say what holds. */
export function limitedAccess(
  { plane, access }: OpenedPlane,
  { namespace, scopeAllows }: SpaceLimits,
): { authorize: Authorizer; access: PlaneAccess } {
  const rights = access.rights()
  const authorize = (request: Request): AuthorizationDecision => {
    if (!isWithin(request, namespace)) return outside(namespace)
    const scope = scopeAllows(request)
    return scope.allowed ? rights.decisions.authorize(unscoped(request)) : scope
  }
  const rulesFor = async (user: UserInfo, asked: string): Promise<HeldRules> => {
    const held =
      asked === namespace
        ? await rights.decisions.rulesFor(user, asked)
        : { rules: [], problems: [] }
    return { ...held, problems: [...held.problems, outside(namespace).reason] }
  }
  const limited = new PlaneAccess()
  limited.bind({
    get resources() {
      return plane.resources
    },
    storeOf: (resource) => plane.storeOf(resource),
    authorize,
    rights: { ...rights, decisions: { authorize, rulesFor } },
    tokens: access.tokens(),
  })
  return { authorize, access: limited }
}

/** Whether a request is about the namespace or what is in it, about oneself, or about the API. */
export function isWithin(request: Request, namespace: string): boolean {
  const { isResource, verb, group, resource, name } = request
  if (!isResource) return true
  // Who has a space has no say about the namespace itself.
  if (group === '' && resource === 'namespaces') return verb === 'get' && name === namespace
  if (request.namespace === namespace) return true
  return request.namespace === '' && verb === 'create' && isAboutOneself(group, resource)
}

function isAboutOneself(group: string, resource: string): boolean {
  const isReview = group === 'authorization.k8s.io' || group === 'authentication.k8s.io'
  return isReview && resource.startsWith('selfsubject')
}

function outside(namespace: string): AuthorizationDecision {
  return { allowed: false, reason: `a space is the namespace "${namespace}" alone` }
}

/** The host knows nothing of the spaces that a scope names. */
function unscoped(request: Request): Request {
  const { credential: _, ...user } = request.user
  return { ...request, user }
}
