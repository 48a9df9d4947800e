import { stringify } from 'yaml'
import type { ApiClient } from '../support/apiClient.ts'
import type { ApiObject } from '../support/objects.ts'

const management = '/apis/management.platform/v1'
const rbacVersion = 'rbac.authorization.k8s.io/v1'
const rbac = `/apis/${rbacVersion}`

/** Creates a user without rights. @returns a token, which `scope` restricts. */
export async function makeUser(
  admin: ApiClient,
  name: string,
  { scope, key = name }: { scope?: unknown; key?: string } = {},
): Promise<string> {
  const metadata = { name }
  const given = await admin.request('GET', `${management}/users/${name}`)
  if (given.status === 404) {
    const user = { apiVersion: 'management.platform/v1', kind: 'User', metadata }
    await admin.create(`${management}/users`, { ...user, spec: { subject: name } })
  }
  const made = await admin.create(`${management}/ownedaccesskeys`, {
    apiVersion: 'management.platform/v1',
    kind: 'OwnedAccessKey',
    metadata: { name: key },
    spec: { user: name, type: 'User', ...(scope === undefined ? {} : { scope }) },
  })
  // The response is one of our own API.
  return (made as ApiObject & { spec: { key: string } }).spec.key
}

/**
 * Creates a user with the two roles that servers need to delegate reviews to this one. @returns a
 * token.
 */
export async function makeDelegate(admin: ApiClient, name: string): Promise<string> {
  const token = await makeUser(admin, name)
  await bind(admin, { name: `${name}-delegator`, role: 'system:auth-delegator', user: name })
  const role = 'extension-apiserver-authentication-reader'
  const reader = binding(`${name}-reader`, { kind: 'Role', role, user: name })
  await admin.create(`${rbac}/namespaces/kube-system/rolebindings`, reader)
  return token
}

/** Grants a user a cluster role. */
async function bind(
  admin: ApiClient,
  { name, role, user }: { name: string; role: string; user: string },
): Promise<void> {
  const given = binding(name, { kind: 'ClusterRole', role, user })
  await admin.create(`${rbac}/clusterrolebindings`, given)
}

/** Creates a cluster role, and a user who has it. */
export async function give(
  admin: ApiClient,
  { name, user, rules }: { name: string; user: string; rules: unknown[] },
): Promise<void> {
  const role: ApiObject & { rules: unknown[] } = {
    apiVersion: rbacVersion,
    kind: 'ClusterRole',
    metadata: { name },
    rules,
  }
  await admin.create(`${rbac}/clusterroles`, role)
  await bind(admin, { name, role: name, user })
}

function binding(
  name: string,
  { kind, role, user }: { kind: 'Role' | 'ClusterRole'; role: string; user: string },
): ApiObject & Record<string, unknown> {
  const apiGroup = 'rbac.authorization.k8s.io'
  return {
    apiVersion: rbacVersion,
    kind: `${kind}Binding`,
    metadata: { name },
    roleRef: { apiGroup, kind, name: role },
    subjects: [{ apiGroup, kind: 'User', name: user }],
  }
}

/** Kubeconfig with one context. */
export function delegateKubeconfig({
  server,
  certificateAuthority,
  token,
}: {
  server: string
  certificateAuthority: Buffer
  token: string
}): string {
  const ca = certificateAuthority.toString('base64')
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'core',
    contexts: [{ name: 'core', context: { cluster: 'core', user: 'delegate' } }],
    clusters: [{ name: 'core', cluster: { server, 'certificate-authority-data': ca } }],
    users: [{ name: 'delegate', user: { token } }],
  })
}
