import type { HttpClient } from '../../endpoints/support/httpClient.ts'
import { clientOf, management, type TestServer } from '../../endpoints/support/testServer.ts'

export const clusterBase = (name: string) => `/kubernetes/cluster/${name}`
export const instanceBase = (name: string, project = 'shop') =>
  `/kubernetes/project/${project}/virtualcluster/${name}`
export const instances = `${management}/namespaces/p-shop/virtualclusterinstances`
export const clusters = `${management}/clusters`

/** Project with instances, and clusters. */
export async function makePlanes(
  admin: HttpClient,
  { hosts = [], virtual = [] }: { hosts?: string[]; virtual?: string[] },
): Promise<void> {
  await admin.post(`${management}/projects`, {
    metadata: { name: 'shop' },
    spec: { allowedClusters: [{ name: '*' }] },
  })
  for (const name of hosts) await admin.post(clusters, { metadata: { name } })
  for (const name of virtual) {
    const template = { accessPoint: { ingress: { enabled: true } } }
    await admin.post(instances, { metadata: { name }, spec: { template } })
  }
}

/** Client with a key of `user`, who is created if missing. */
export async function userClient(
  { admin, running }: TestServer,
  user: string,
  key: { name: string; scope?: object },
): Promise<HttpClient> {
  await admin.post(`${management}/users`, { metadata: { name: user }, spec: { subject: user } })
  const made = await admin.post(`${management}/ownedaccesskeys`, {
    metadata: { name: key.name },
    spec: { user, type: 'User', ...(key.scope === undefined ? {} : { scope: key.scope }) },
  })
  return clientOf(running, String(made.field('spec', 'key')))
}

/** Allows a user to use objects of a kind of the management API. */
export async function letUse(admin: HttpClient, user: string, plural: string): Promise<void> {
  await grant(admin, user, [
    { apiGroups: ['management.platform'], resources: [plural], verbs: ['use'] },
  ])
}

let granted = 0

/** Grants a user the rights in rules, by a separate role and binding. */
export async function grant(
  admin: HttpClient,
  user: string,
  rules: readonly object[],
): Promise<void> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  const name = `granted-${user}-${granted++}`
  await admin.post(`${rbac}/clusterroles`, { metadata: { name }, rules })
  await admin.post(`${rbac}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  })
}

/** Names of the objects in a list. */
export async function namesOf(client: HttpClient, path: string): Promise<string[]> {
  const items = (await client.get(path)).field('items') as { metadata: { name: string } }[]
  return items.map(({ metadata }) => metadata.name)
}
