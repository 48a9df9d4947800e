import { atOnce } from '../meta/waiting/steps.ts'
import { uncovered } from '../authorization/rbac/ruleCovering.ts'
import { rulesOf, subjectsOf } from '../authorization/rbac/policyRule.ts'
import type { RbacStores } from '../authorization/rbac/rbacIndex.ts'
import { aggregatedRules } from '../authorization/rbac/roleAggregation.ts'
import {
  autoUpdate,
  bootstrapBinding,
  bootstrapClusterRole,
  bootstrapRole,
  bootstrapRoleBinding,
  type BootstrapRole,
  type NamespaceBootstrapRole,
} from '../apis/kubernetes/rbac/bootstrapForm.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'
import { createAsServer, type Create } from './createAsServer.ts'

/** Default roles and bindings, which are shared by planes and immutable. */
export interface StartRoles {
  roles: readonly ApiObject[]
  bindings: readonly ApiObject[]
  /** Roles in namespaces. */
  namespaceRoles: readonly ApiObject[]
  namespaceBindings: readonly ApiObject[]
}

export function startRoles(
  wanted: readonly BootstrapRole[],
  inNamespaces: readonly NamespaceBootstrapRole[] = [],
): StartRoles {
  return {
    roles: withAggregatedRules(wanted.map(bootstrapClusterRole)),
    bindings: wanted.flatMap((role) => bootstrapBinding(role) ?? []),
    namespaceRoles: inNamespaces.map(bootstrapRole),
    namespaceBindings: inNamespaces.map(bootstrapRoleBinding),
  }
}

/**
 * Creates missing default roles and bindings, and restores removed rules and subjects, except for
 * objects that opt out. All writes share a turn, and therefore a commit. The default namespaces
 * must exist or be pending.
 * Source: Kubernetes documentation, "API server auto-reconciliation".
 */
export async function ensureRoles(
  stores: RbacStores,
  { roles, bindings, namespaceRoles, namespaceBindings }: StartRoles,
  create: Create = createAsServer,
): Promise<void> {
  const { clusterRoles, clusterRoleBindings } = stores
  const withRules = { missing: missingRules, create }
  const withSubjects = { missing: missingSubjects, create }
  await Promise.all(Object.values<Store>({ ...stores }).map((store) => store.cache.warm()))
  await Promise.all([
    ...roles.map((role) => ensure(clusterRoles, role, withRules)),
    ...bindings.map((binding) => ensure(clusterRoleBindings, binding, withSubjects)),
    ...namespaceRoles.map((role) => ensure(stores.roles, role, withRules)),
    ...namespaceBindings.map((one) => ensure(stores.roleBindings, one, withSubjects)),
  ])
}

/**
 * Fills in the rules of aggregated roles, so that no second write is needed. A role that aggregates
 * an aggregated role is filled after it.
 */
function withAggregatedRules(roles: readonly ApiObject[]): ApiObject[] {
  let before = ''
  // Sorted by name, which is the order in which stored roles are aggregated later.
  let filled = [...roles].sort((a, b) =>
    (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1,
  )
  while (before !== (before = JSON.stringify(filled))) {
    filled = filled.map((role) => ({
      ...role,
      rules: atOnce(aggregatedRules(role, filled)) ?? role['rules'],
    }))
  }
  return filled
}

/** Computes the fields that a stored object needs in order to include `wanted`; undefined: none. */
type Missing = (stored: ApiObject, wanted: ApiObject) => Record<string, unknown> | undefined

async function ensure(
  store: Store,
  wanted: ApiObject,
  { missing, create }: { missing: Missing; create: Create },
): Promise<void> {
  const { name = '', namespace = '' } = wanted.metadata
  const target = { namespace, name }
  const stored = store.cache.get(store.keyOf(target))?.object()
  if (stored === undefined) {
    await create(store, structuredClone(wanted))
    return
  }
  if (stored.metadata.annotations?.[autoUpdate] !== 'true') return
  const fields = missing(stored, wanted)
  if (fields === undefined) return
  const transform = (old: ApiObject): ApiObject => ({ ...old, ...fields })
  await store.update(target, { transform }, systemContext())
}

const missingRules: Missing = (stored, wanted) => {
  if (wanted['aggregationRule'] !== undefined) return undefined
  if (JSON.stringify(stored['rules']) === JSON.stringify(wanted['rules'])) return undefined
  const missing = uncovered(rulesOf(stored), rulesOf(wanted))
  return missing.length === 0 ? undefined : { rules: [...rulesOf(stored), ...missing] }
}

const missingSubjects: Missing = (stored, wanted) => {
  const has = subjectsOf(stored).map(({ name }) => name)
  const missing = subjectsOf(wanted).filter(({ name }) => !has.includes(name))
  return missing.length === 0 ? undefined : { subjects: [...subjectsOf(stored), ...missing] }
}
