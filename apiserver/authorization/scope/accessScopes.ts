import { managementGroup, type NamesProfile } from '../../meta/names/namesProfile.ts'
import type { AuthorizationAttributes, AuthorizationDecision } from '../authorizer.ts'
import { cliFlag, countEntries, isRestricting, type AccessKeyScope } from './accessKeyScope.ts'
import { entryMatchers } from './entryMatchers.ts'
import type { RequestMatcher } from './requestMatcher.ts'
import { roleMatcher } from './roleMatcher.ts'
import { reachesPlane, ruleMatcher } from './scopeRuleMatcher.ts'
import { scopedRequest, type ScopedRequest, type ScopeSettings } from './scopedRequest.ts'

/** Paths that describe the API, which clients request first. */
const described = /^\/(api|apis|openapi|version)(\/|$)|^\/$/

const allowed: AuthorizationDecision = { allowed: true, reason: '' }
const refused: AuthorizationDecision = {
  allowed: false,
  reason: 'the scope of the access key does not cover this request',
}

/**
 * Decides whether a scope covers a request. A scope without entries does not restrict anything;
 * otherwise, at least one entry has to cover the request. Under any scope, clients may request
 * their own identity and read the description of the API, unless a rule names paths itself.
 * Source: specification, "Scope" and "Authentication" 4; platform facts 2.
 */
export class AccessScopes {
  readonly #settings: ScopeSettings
  readonly #compiled = new WeakMap<object, RequestMatcher>()

  constructor(settings: ScopeSettings) {
    this.#settings = settings
  }

  /** Decides according to a stored scope, which is immutable and compiled only once. */
  scopeAllows(
    scope: Record<string, unknown> | undefined,
    attributes: AuthorizationAttributes,
  ): AuthorizationDecision {
    if (scope === undefined) return allowed
    let covers = this.#compiled.get(scope)
    if (covers === undefined) this.#compiled.set(scope, (covers = this.#compile(scope)))
    return covers(scopedRequest(attributes, this.#settings)) ? allowed : refused
  }

  /** Reports whether the scope of the user's credential covers the request. */
  readonly check = (attributes: AuthorizationAttributes): AuthorizationDecision =>
    this.scopeAllows(attributes.user.credential?.scope, attributes)

  /**
   * Reports whether a scope may cover any request to a plane other than for its description. A
   * plane that the scope cannot reach is not opened. Roles apply to the management API.
   */
  reaches(stored: Record<string, unknown> | undefined, asked: AuthorizationAttributes): boolean {
    const { names, projectNamespacePrefix } = this.#settings
    if (stored === undefined || !isRestricting(stored, names)) return true
    // Guaranteed by the schema of the kind.
    const scope = stored as AccessKeyScope
    const request = scopedRequest(asked, this.#settings)
    return (
      entryMatchers(scope).some((matches) => matches(request)) ||
      (scope.rules ?? []).some((rule) => reachesPlane(rule, request.target, projectNamespacePrefix))
    )
  }

  #compile(stored: Record<string, unknown>): RequestMatcher {
    const { names, projectNamespacePrefix } = this.#settings
    if (!isRestricting(stored, names)) return () => true
    // Guaranteed by the schema of the kind.
    const scope = stored as AccessKeyScope
    const { roles = [], rules = [] } = scope
    const named = stored[cliFlag(names)] === true ? [...roles, { role: names.cliRole }] : roles
    const isAlone = roles.length === 1 && countEntries(stored) === 1
    const matchers = [
      ...named.map((role) => roleMatcher(role, names, isAlone)),
      ...entryMatchers(scope),
      ...rules.map((rule) => ruleMatcher(rule, projectNamespacePrefix)),
      (request: ScopedRequest) => isOwnIdentity(request, names),
    ]
    if (!rules.some(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)) {
      matchers.push(({ attributes }) => isDescription(attributes))
    }
    return (request) => matchers.some((matches) => matches(request))
  }
}

function isDescription({ isResource, verb, path }: AuthorizationAttributes): boolean {
  return !isResource && (verb === 'get' || verb === 'head') && described.test(path)
}

/**
 * Reports whether a request is for the client's own identity, which clients request with each
 * command.
 */
function isOwnIdentity({ attributes, target }: ScopedRequest, names: NamesProfile): boolean {
  const { isResource, verb, group, resource, subresource } = attributes
  if (!isResource || target.plane !== 'management' || group !== managementGroup(names)) return false
  return resource === 'selves' && subresource === '' && (verb === 'create' || verb === 'get')
}
