import { groupVersionString } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import { createAsServer, type Create } from './createAsServer.ts'

/** Namespaces of every plane. */
const everywhere = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** Creates missing namespaces. */
export async function ensureNamespaces(
  namespaces: Store,
  create: Create = createAsServer,
): Promise<void> {
  const { resource } = namespaces
  await namespaces.cache.warm()
  const missing = everywhere.filter(
    (name) => namespaces.cache.get(namespaces.keyOf({ namespace: '', name })) === undefined,
  )
  const apiVersion = groupVersionString(resource)
  await Promise.all(
    missing.map((name) =>
      create(namespaces, { kind: resource.kind, apiVersion, metadata: { name } }),
    ),
  )
}
