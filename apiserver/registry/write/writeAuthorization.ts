import type { RequestContext, Strategy } from '../strategy.ts'

type AuthorizingStrategy = Strategy & Required<Pick<Strategy, 'authorizeWrite'>>

/** Reports whether a write has to be authorized by its content; the server's own are exempt. */
export function needsAuthorization(
  strategy: Strategy,
  { isTrusted }: RequestContext,
): strategy is AuthorizingStrategy {
  return isTrusted !== true && strategy.authorizeWrite !== undefined
}
