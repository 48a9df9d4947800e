import type { Authorizer as PlaneAuthorizer } from '../authorization/authorizer.ts'
import { Authorizer, type AuthorizationQuestion } from '../cel/functions/authorizer.ts'
import type { UserInfo } from '../meta/types.ts'
import type { AdmissionRequest } from '../registry/admission.ts'

export type AuthorizerValue = Authorizer

/** Rights of the requesting user, as a value that expressions can query. */
export function authorizerValue(request: AdmissionRequest, authorize: PlaneAuthorizer): Authorizer {
  const { resource, subresource, namespace, name, context } = request
  const ask = ({ serviceAccount, path, ...rest }: AuthorizationQuestion) => {
    const user = serviceAccount === undefined ? context.user : accountUser(serviceAccount)
    const isResource = path === ''
    const decision = authorize({ ...rest, user, path, isResource, version: '*' })
    if (decision instanceof Promise) {
      // Prevents an unhandled rejection, since the caller never awaits the decision.
      void decision.catch(() => undefined)
      throw new Error('the authorizer cannot decide synchronously')
    }
    return decision
  }
  const { group, plural } = resource
  return new Authorizer(ask, { group, resource: plural, subresource, namespace, name })
}

function accountUser({ namespace, name }: { namespace: string; name: string }): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    uid: '',
    groups: [
      'system:serviceaccounts',
      `system:serviceaccounts:${namespace}`,
      'system:authenticated',
    ],
    extra: {},
  }
}
