import { addTo, removeFrom } from '../../meta/collections/setsByKey.ts'
import { goQuote } from '../../meta/goQuote.ts'
import type { ApiObject, UserInfo } from '../../meta/types.ts'
import type { Store } from '../../registry/store.ts'
import { GrantChanges, subjectKeys, type GrantChange } from './grantChanges.ts'
import { GrantTable, type BoundRole } from './grantTable.ts'
import {
  roleRefOf,
  rulesOf,
  subjectsOf,
  type PolicyRule,
  type RoleRef,
  type Subject,
} from './policyRule.ts'

/** Stores of roles and bindings. */
export interface RbacStores {
  roles: Store
  clusterRoles: Store
  roleBindings: Store
  clusterRoleBindings: Store
}

/** Rules and the namespace in which they apply; empty: all namespaces. */
export interface PlacedRules {
  namespace: string
  rules: PolicyRule[]
}

interface Binding {
  /** Namespace of the binding; empty for a ClusterRoleBinding. */
  namespace: string
  name: string
  roleKey: string
  role: RoleRef
  subjects: readonly Subject[]
  /** Bound role by subject. */
  bound: Map<string, BoundRole>
}

/**
 * Roles and bindings by subject. The index follows the caches of their stores in the turn in which
 * a write is acknowledged, so a granted or revoked right takes effect with the next request.
 * Source: reference 7.8.
 */
export class RbacIndex {
  /** Incremented with every change of a role or binding. */
  generation = 0
  /** Changes for followers. */
  changes = new GrantChanges(Infinity)
  readonly #rules = new Map<string, readonly PolicyRule[]>()
  readonly #bindings = new Map<string, Binding>()
  readonly #bindingsOfRole = new Map<string, Set<Binding>>()
  /** Tables by subject, then by namespace; the empty namespace contains rights everywhere. */
  readonly #tables = new Map<string, Map<string, GrantTable>>()

  /** Reads all roles and bindings, and follows changes. */
  async start({
    roles,
    clusterRoles,
    roleBindings,
    clusterRoleBindings,
  }: RbacStores): Promise<void> {
    const setRole: SetObject = (...change) => this.#setRole(...change)
    const setBinding: SetObject = (...change) => this.#setBinding(...change)
    await Promise.all([
      follow(roles, setRole),
      follow(clusterRoles, setRole),
      follow(roleBindings, setBinding),
      follow(clusterRoleBindings, setBinding),
    ])
    // Earlier changes are unknown: a role or binding may have been deleted.
    this.changes = new GrantChanges(roles.cache.revision)
  }

  /** Grants of a user everywhere and, if `namespace` is not empty, in that namespace. */
  *tablesOf(user: UserInfo, namespace: string): Iterable<GrantTable> {
    for (const subject of subjectKeys(user)) {
      const tables = this.#tables.get(subject)
      const everywhere = tables?.get('')
      if (everywhere !== undefined) yield everywhere
      const here = namespace === '' ? undefined : tables?.get(namespace)
      if (here !== undefined) yield here
    }
  }

  /**
   * All rules for a name and groups, by namespace; the empty namespace contains rights everywhere.
   */
  *grantsOf(user: Pick<UserInfo, 'name' | 'groups'>): Iterable<PlacedRules> {
    for (const subject of subjectKeys(user)) {
      for (const [namespace, table] of this.#tables.get(subject) ?? []) {
        yield { namespace, rules: [...table.bound()].flatMap(({ rules }) => rules) }
      }
    }
  }

  /** Rules of a user everywhere, followed by those in `namespace` unless it is empty. */
  rulesFor(user: UserInfo, namespace: string): PolicyRule[] {
    const grants = [...this.grantsOf(user)]
    const places = namespace === '' ? [''] : ['', namespace]
    return places.flatMap((place) =>
      grants.filter((grant) => grant.namespace === place).flatMap(({ rules }) => rules),
    )
  }

  /** Roles of a user's bindings that do not exist. */
  missingRolesOf(user: UserInfo, namespace: string): RoleRef[] {
    return [...this.tablesOf(user, namespace)].flatMap((table) => table.missingRoles())
  }

  /** The rules of the role that a binding in `namespace` refers to; undefined: the role does not exist. */
  rulesOfRole(role: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#rules.get(roleKeyOf(role, namespace))
  }

  #setRole(key: string, object: ApiObject | undefined, revision: number): void {
    const old = this.#rules.get(key)
    const rules = object && rulesOf(object)
    // Changes of labels and other metadata do not affect rights.
    if (isSame(old, rules)) return
    const bindings = [...(this.#bindingsOfRole.get(key) ?? [])]
    const touched = [...(old ?? []), ...(rules ?? [])]
    const changes = bindings.map((binding) => changeOf(binding, touched))
    this.changes.make(revision, changes, () => {
      this.generation++
      if (rules === undefined) this.#rules.delete(key)
      else this.#rules.set(key, rules)
      for (const binding of bindings) {
        this.#release(binding)
        this.#give(binding)
      }
    })
  }

  #setBinding(key: string, object: ApiObject | undefined, revision: number): void {
    const previous = this.#bindings.get(key)
    const binding = object && bindingOf(object)
    if (isSame(sourceOf(previous), sourceOf(binding))) return
    const changes = [previous, binding].flatMap((one) =>
      one === undefined ? [] : changeOf(one, this.#rules.get(one.roleKey) ?? []),
    )
    this.changes.make(revision, changes, () => {
      this.generation++
      if (previous !== undefined) this.#forget(key, previous)
      if (binding !== undefined) this.#addBinding(key, binding)
    })
  }

  #addBinding(key: string, binding: Binding): void {
    this.#bindings.set(key, binding)
    addTo(this.#bindingsOfRole, binding.roleKey, binding)
    this.#give(binding)
  }

  #forget(key: string, binding: Binding): void {
    this.#release(binding)
    this.#bindings.delete(key)
    removeFrom(this.#bindingsOfRole, binding.roleKey, binding)
  }

  #give(binding: Binding): void {
    const rules = this.#rules.get(binding.roleKey)
    for (const subject of binding.subjects) {
      const key = subjectKey(subject, binding.namespace)
      if (key === undefined || binding.bound.has(key)) continue
      const bound = boundRole(binding, subject, rules)
      binding.bound.set(key, bound)
      this.#table(key, binding.namespace).add(bound)
    }
  }

  #release(binding: Binding): void {
    for (const [key, bound] of binding.bound) {
      const tables = this.#tables.get(key)
      const table = tables?.get(binding.namespace)
      table?.remove(bound)
      if (table?.isEmpty === true) tables?.delete(binding.namespace)
      if (tables?.size === 0) this.#tables.delete(key)
    }
    binding.bound.clear()
  }

  #table(subject: string, namespace: string): GrantTable {
    let tables = this.#tables.get(subject)
    if (tables === undefined) this.#tables.set(subject, (tables = new Map<string, GrantTable>()))
    let table = tables.get(namespace)
    if (table === undefined) tables.set(namespace, (table = new GrantTable()))
    return table
  }
}

type SetObject = (key: string, object: ApiObject | undefined, revision: number) => void

async function follow(store: Store, set: SetObject): Promise<void> {
  const { cache, keyPrefix, resource } = store
  await cache.warm()
  // Keys in the index are `namespace/name`, or `/name` for cluster-scoped objects.
  const own = (key: string) => `${resource.namespaced ? '' : '/'}${key.slice(keyPrefix.length)}`
  cache.onChange(({ key, entry, revision }) => set(own(key), entry?.object(), revision))
  for (const entry of [...cache.all()]) set(own(entry.key), entry.object(), entry.revision)
}

/** Parts of a binding that determine rights. */
function sourceOf(binding: Binding | undefined): unknown {
  return binding && [binding.role, binding.subjects]
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function changeOf({ namespace, subjects }: Binding, rules: readonly PolicyRule[]): GrantChange {
  const keys = subjects.flatMap((subject) => subjectKey(subject, namespace) ?? [])
  return { namespace, subjects: keys, rules }
}

function bindingOf(object: ApiObject): Binding {
  const { name = '', namespace = '' } = object.metadata
  const role = roleRefOf(object)
  const subjects = subjectsOf(object)
  return {
    namespace,
    name,
    role,
    subjects,
    roleKey: roleKeyOf(role, namespace),
    bound: new Map(),
  }
}

function roleKeyOf({ kind, name }: RoleRef, namespace: string): string {
  return kind === 'Role' ? `${namespace}/${name}` : `/${name}`
}

/** Key of a subject; undefined: the subject matches no user. */
function subjectKey(subject: Subject, bindingNamespace: string): string | undefined {
  const { kind, name } = subject
  if (kind !== 'ServiceAccount') return `${kind} ${name}`
  const namespace = accountNamespace(subject, bindingNamespace)
  return namespace === '' ? undefined : `User system:serviceaccount:${namespace}:${name}`
}

function accountNamespace({ namespace = '' }: Subject, bindingNamespace: string): string {
  return namespace === '' ? bindingNamespace : namespace
}

function boundRole(
  { name, namespace, role }: Binding,
  subject: Subject,
  rules: readonly PolicyRule[] | undefined,
): BoundRole {
  const binding = namespace === '' ? name : `${name}/${namespace}`
  const kind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding'
  const who =
    subject.kind === 'ServiceAccount'
      ? `${subject.name}/${accountNamespace(subject, namespace)}`
      : subject.name
  return {
    rules: rules ?? [],
    reason: `RBAC: allowed by ${kind} ${goQuote(binding)} of ${role.kind} ${goQuote(role.name)} to ${subject.kind} ${goQuote(who)}`,
    ...(rules === undefined ? { missing: role } : {}),
  }
}
