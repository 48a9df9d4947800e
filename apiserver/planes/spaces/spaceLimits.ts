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
  /** The namespace of the space in the host cluster. */
  namespace: string
  /** Scope check for the space rather than its host. */
  scopeAllows: ScopeCheck
}

type Request = AuthorizationAttributes

/**
 * Access to the host cluster, limited to the space's namespace and the scope of the credential. The kinds of the plane
 * see the same limits, so that reviews are correct.
 */
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
    const problems = [...held.problems, outside(namespace).reason]
    return { ...held, problems, isIncomplete: true }
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

/** Reports whether a request concerns the namespace or its content, the user itself, or the API's description. */
export function isWithin(request: Request, namespace: string): boolean {
  const { isResource, verb, group, resource, name } = request
  if (!isResource) return true
  // Users of a space may only read the namespace itself.
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

/** The request without its scope, since the host does not know the spaces in it. */
function unscoped(request: Request): Request {
  const { credential: _, ...user } = request.user
  return { ...request, user }
}
