import type { UserInfo } from '../meta/types.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import type { Store } from '../registry/store.ts'
import type { Exchange } from './exchange.ts'

/** One isolated API as the endpoints see it. */
export interface Plane {
  resources: ResourceSet
  storeOf(resource: ResourceDefinition): Store
  authorize: Authorizer
  /** Answers a path outside the resources: discovery, OpenAPI, health. False: no such path. */
  serveDocument(exchange: Exchange): Promise<boolean>
}

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
}

export interface AuthorizationDecision {
  allowed: boolean
  /** Shown to the client behind a refusal; may be empty. */
  reason: string
}

export type Authorizer = (
  attributes: AuthorizationAttributes,
) => AuthorizationDecision | Promise<AuthorizationDecision>
