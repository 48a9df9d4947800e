import type { AuthorizationAttributes } from '../authorizer.ts'
import type { PolicyRule } from './policyRule.ts'

/** A role as one binding gives it to one subject. */
export interface BoundRole {
  rules: readonly PolicyRule[]
  /** Why something is allowed by it, for people. */
  reason: string
  /** What is wrong where the role does not exist. */
  problem?: string
}

interface Grant {
  verbs: ReadonlySet<string>
  bound: BoundRole
}

interface PathGrant extends Grant {
  urls: readonly string[]
}

/** The grants of one resource: for every name, and for some. */
interface Cell {
  any: Set<Grant>
  named: Map<string, Set<Grant>>
}

const none: (() => void)[] = []

/** Everything that one subject may do in one place, found by resource and name without a look at roles or bindings.
 *  Source: reference 7.8. */
export class GrantTable {
  readonly #cells = new Map<string, Cell>()
  readonly #paths = new Set<PathGrant>()
  readonly #removals = new Map<BoundRole, (() => void)[]>()
  readonly #faulty = new Set<BoundRole>()
  /** Added, and not yet in the cells. */
  readonly #unread = new Set<BoundRole>()

  get isEmpty(): boolean {
    return this.#removals.size === 0
  }

  add(bound: BoundRole): void {
    this.#removals.set(bound, none)
    this.#unread.add(bound)
    if (bound.problem !== undefined) this.#faulty.add(bound)
  }

  remove(bound: BoundRole): void {
    for (const removal of this.#removals.get(bound) ?? []) removal()
    this.#removals.delete(bound)
    this.#unread.delete(bound)
    this.#faulty.delete(bound)
  }

  bound(): Iterable<BoundRole> {
    return this.#removals.keys()
  }

  /** What is wrong with bindings: roles that are missing. */
  problems(): string[] {
    return [...this.#faulty].flatMap(({ problem = '' }) => problem)
  }

  /** What allows the request; undefined: nothing here. `cells` is what cellKeys() gives for it. */
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
    return undefined
  }

  /** Rules are taken apart when somebody is asked about: most subjects of most planes never are. */
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
    const keys = (rule.apiGroups ?? []).flatMap((group) =>
      (rule.resources ?? []).map((resource) => cellKey(group, resource)),
    )
    return keys.map((key) => this.#addGrant(key, rule.resourceNames ?? [], grant))
  }

  #addGrant(key: string, names: readonly string[], grant: Grant): () => void {
    let cell = this.#cells.get(key)
    if (cell === undefined) this.#cells.set(key, (cell = { any: new Set(), named: new Map() }))
    const place = cell
    if (names.length === 0) place.any.add(grant)
    for (const name of names) {
      const others = place.named.get(name)
      if (others === undefined) place.named.set(name, new Set([grant]))
      else others.add(grant)
    }
    return () => {
      removeGrant(place, names, grant)
      if (place.any.size === 0 && place.named.size === 0 && this.#cells.get(key) === place) {
        this.#cells.delete(key)
      }
    }
  }
}

/** Where the grants for a request may stand. */
export function cellKeys(request: AuthorizationAttributes): string[] {
  const { isResource, group, resource, subresource } = request
  if (!isResource) return []
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  const resources = subresource === '' ? [whole, '*'] : [whole, '*', `*/${subresource}`]
  return resources.flatMap((text) => [cellKey(group, text), cellKey('*', text)])
}

function cellKey(group: string, resource: string): string {
  return `${group}|${resource}`
}

function removeGrant({ any, named }: Cell, names: readonly string[], grant: Grant): void {
  any.delete(grant)
  for (const name of names) {
    const others = named.get(name)
    others?.delete(grant)
    if (others?.size === 0) named.delete(name)
  }
}

function withVerb(grants: ReadonlySet<Grant> | undefined, verb: string): BoundRole | undefined {
  if (grants === undefined) return undefined
  for (const { verbs, bound } of grants) if (hasVerb(verbs, verb)) return bound
  return undefined
}

function hasVerb(verbs: ReadonlySet<string>, verb: string): boolean {
  return verbs.has(verb) || verbs.has('*')
}

/** A star at the end stands for whatever follows. */
export function urlMatches(rule: string, path: string): boolean {
  return rule === '*' || rule === path || (rule.endsWith('*') && path.startsWith(rule.slice(0, -1)))
}
