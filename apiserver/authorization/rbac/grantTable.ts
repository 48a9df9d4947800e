import { addTo, removeFrom } from '../../meta/collections/setsByKey.ts'
import type { AuthorizationAttributes } from '../authorizer.ts'
import type { PolicyRule, RoleRef } from './policyRule.ts'

/** A role that a binding grants to one subject. */
export interface BoundRole {
  rules: readonly PolicyRule[]
  /** Reason shown for requests that the role allows. */
  reason: string
  /** The role if it does not exist. Absent: it exists. */
  missing?: RoleRef
}

interface Grant {
  verbs: ReadonlySet<string>
  bound: BoundRole
}

interface PathGrant extends Grant {
  urls: readonly string[]
}

/**
 * Grant of a rule for many resources in many groups, which is compared with each request instead of
 * being indexed.
 */
interface WideGrant extends Grant {
  groups: ReadonlySet<string>
  resources: ReadonlySet<string>
  names: ReadonlySet<string>
}

/**
 * Maximum number of cells for each value of a rule: a rule of 16 KB could expand to a million
 * cells.
 */
const cellsPerValue = 4

/** Grants for one resource: for all names, and by name. */
interface Cell {
  any: Set<Grant>
  named: Map<string, Set<Grant>>
}

const none: (() => void)[] = []

/**
 * All rights of one subject in one namespace, or everywhere, indexed by resource and name.
 * Source: reference 7.8.
 */
export class GrantTable {
  readonly #cells = new Map<string, Cell>()
  readonly #paths = new Set<PathGrant>()
  readonly #wide = new Set<WideGrant>()
  /** Bindings by their rules, of which only the first with the same rules is indexed. */
  readonly #sameRules = new Map<readonly PolicyRule[], Set<BoundRole>>()
  readonly #removals = new Map<BoundRole, (() => void)[]>()
  readonly #faulty = new Set<BoundRole>()
  /** Roles that were added but not yet indexed. */
  readonly #unread = new Set<BoundRole>()

  get isEmpty(): boolean {
    return this.#removals.size === 0
  }

  add(bound: BoundRole): void {
    this.#removals.set(bound, none)
    if (bound.missing !== undefined) this.#faulty.add(bound)
    const same = this.#sameRules.get(bound.rules)
    if (same !== undefined) same.add(bound)
    else {
      this.#sameRules.set(bound.rules, new Set([bound]))
      this.#unread.add(bound)
    }
  }

  remove(bound: BoundRole): void {
    const removals = this.#removals.get(bound) ?? []
    const wasUnread = this.#unread.delete(bound)
    for (const removal of removals) removal()
    this.#removals.delete(bound)
    this.#faulty.delete(bound)
    const same = this.#sameRules.get(bound.rules)
    same?.delete(bound)
    const [next] = same ?? []
    if (next === undefined) this.#sameRules.delete(bound.rules)
    else if (wasUnread || removals.length > 0) this.#unread.add(next)
  }

  bound(): Iterable<BoundRole> {
    return this.#removals.keys()
  }

  /** Roles of bindings that do not exist. */
  missingRoles(): RoleRef[] {
    return [...this.#faulty].flatMap(({ missing }) => missing ?? [])
  }

  /**
   * The grant in this table that allows the request; undefined: none. `cells` come from cellKeys().
   */
  allowing(request: AuthorizationAttributes, cells: readonly string[]): BoundRole | undefined {
    if (this.#unread.size > 0) this.#read()
    if (!request.isResource) return this.#allowingPath(request)
    for (const key of cells) {
      const cell = this.#cells.get(key)
      if (cell === undefined) continue
      const found =
        withVerb(cell.any, request.verb) ?? withVerb(cell.named.get(request.name), request.verb)
      if (found !== undefined) return found
    }
    return this.#allowingWide(request)
  }

  #allowingWide(request: AuthorizationAttributes): BoundRole | undefined {
    if (this.#wide.size === 0) return undefined
    const resources = resourcesOf(request)
    for (const { groups, resources: held, names, verbs, bound } of this.#wide) {
      if (!hasVerb(verbs, request.verb)) continue
      if (!groups.has(request.group) && !groups.has('*')) continue
      if (names.size > 0 && !names.has(request.name)) continue
      if (resources.some((resource) => held.has(resource))) return bound
    }
    return undefined
  }

  /** Indexes added roles lazily, since most subjects never send a request. */
  #read(): void {
    for (const bound of this.#unread) {
      this.#removals.set(
        bound,
        bound.rules.flatMap((rule) => this.#addRule(rule, bound)),
      )
    }
    this.#unread.clear()
  }

  #allowingPath({ path, verb }: AuthorizationAttributes): BoundRole | undefined {
    for (const { urls, verbs, bound } of this.#paths) {
      if (hasVerb(verbs, verb) && urls.some((url) => urlMatches(url, path))) return bound
    }
    return undefined
  }

  #addRule(rule: PolicyRule, bound: BoundRole): (() => void)[] {
    const grant: Grant = { verbs: new Set(rule.verbs), bound }
    const urls = rule.nonResourceURLs ?? []
    if (urls.length > 0) {
      const path = { ...grant, urls }
      this.#paths.add(path)
      return [() => this.#paths.delete(path)]
    }
    const { apiGroups = [], resources = [], resourceNames = [] } = rule
    const cells = apiGroups.length * resources.length * Math.max(1, resourceNames.length)
    const values = apiGroups.length + resources.length + resourceNames.length
    if (cells > cellsPerValue * values) return [this.#addWide(rule, grant)]
    const keys = apiGroups.flatMap((group) => resources.map((resource) => cellKey(group, resource)))
    return keys.map((key) => this.#addGrant(key, resourceNames, grant))
  }

  #addWide({ apiGroups, resources, resourceNames }: PolicyRule, grant: Grant): () => void {
    const wide: WideGrant = {
      ...grant,
      groups: new Set(apiGroups),
      resources: new Set(resources),
      names: new Set(resourceNames),
    }
    this.#wide.add(wide)
    return () => this.#wide.delete(wide)
  }

  #addGrant(key: string, names: readonly string[], grant: Grant): () => void {
    let cell = this.#cells.get(key)
    if (cell === undefined) this.#cells.set(key, (cell = { any: new Set(), named: new Map() }))
    const place = cell
    if (names.length === 0) place.any.add(grant)
    for (const name of names) addTo(place.named, name, grant)
    return () => {
      removeGrant(place, names, grant)
      if (place.any.size === 0 && place.named.size === 0 && this.#cells.get(key) === place) {
        this.#cells.delete(key)
      }
    }
  }
}

/** Keys of the cells that may contain grants for a request. */
export function cellKeys(request: AuthorizationAttributes): string[] {
  const { isResource, group } = request
  if (!isResource) return []
  return resourcesOf(request).flatMap((text) => [cellKey(group, text), cellKey('*', text)])
}

/** Resource patterns in rules that match a request. */
function resourcesOf({ resource, subresource }: AuthorizationAttributes): string[] {
  if (subresource === '') return [resource, '*']
  return [`${resource}/${subresource}`, '*', `*/${subresource}`]
}

function cellKey(group: string, resource: string): string {
  return `${group}|${resource}`
}

function removeGrant({ any, named }: Cell, names: readonly string[], grant: Grant): void {
  any.delete(grant)
  for (const name of names) removeFrom(named, name, grant)
}

function withVerb(grants: ReadonlySet<Grant> | undefined, verb: string): BoundRole | undefined {
  if (grants === undefined) return undefined
  for (const { verbs, bound } of grants) if (hasVerb(verbs, verb)) return bound
  return undefined
}

function hasVerb(verbs: ReadonlySet<string>, verb: string): boolean {
  return verbs.has(verb) || verbs.has('*')
}

/** Reports whether a path matches; a trailing `*` matches any suffix. */
export function urlMatches(rule: string, path: string): boolean {
  return rule === '*' || rule === path || (rule.endsWith('*') && path.startsWith(rule.slice(0, -1)))
}
