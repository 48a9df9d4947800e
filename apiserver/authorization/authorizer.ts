import type { UserInfo } from '../meta/types.ts'
import type { Shows, View } from '../registry/read/visibility.ts'
import type { RequestTarget } from './requestTarget.ts'

/** The attributes of a request for authorization. Source: reference 2.4, 7.8. */
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
  /** Target plane. Absent: the management API. */
  target?: RequestTarget
}

export interface AuthorizationDecision {
  allowed: boolean
  /** Reason of a refusal, shown to the client; may be empty. */
  reason: string
  /** Restricts a list or watch to some objects. Absent: all of them. */
  shows?: Shows
  /**
   * Creates the view of a watch that is restricted to some objects; called when the watch begins.
   */
  view?: () => View
}

export type Authorizer = (
  attributes: AuthorizationAttributes,
) => AuthorizationDecision | Promise<AuthorizationDecision>
