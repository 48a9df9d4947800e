import type { UserInfo } from '../meta/types.ts'
import type { Shows, View } from '../registry/read/visibility.ts'
import type { RequestTarget } from './requestTarget.ts'

/** A request as authorization sees it. Source: reference 2.4, 7.8. */
export interface AuthorizationAttributes {
  user: UserInfo
  verb: string
  isResource: boolean
  group: string
  version: string
  resource: string
  subresource: string
  namespace: string
  name: string
  path: string
  /** The plane that is asked; absent: the management API. */
  target?: RequestTarget
}

export interface AuthorizationDecision {
  allowed: boolean
  /** Shown to the client behind a refusal; may be empty. */
  reason: string
  /** A list or watch is allowed for the objects alone that this says. Absent: for all of them. */
  shows?: Shows
  /** What a watch that is allowed for some objects shows; made when it begins. */
  view?: () => View
}

export type Authorizer = (
  attributes: AuthorizationAttributes,
) => AuthorizationDecision | Promise<AuthorizationDecision>
