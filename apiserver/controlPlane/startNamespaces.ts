import { groupVersionString } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import { createAsServer } from './createAsServer.ts'

/** Namespaces of every plane. */
const everywhere = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** Creates missing namespaces. */
export async function ensureNamespaces(
  namespaces: Store,
  names: readonly string[] = everywhere,
): Promise<void> {
  const { resource } = namespaces
  await namespaces.cache.warm()
  const missing = names.filter(
    (name) => namespaces.cache.get(namespaces.keyOf({ namespace: '', name })) === undefined,
  )
  const apiVersion = groupVersionString(resource)
  await Promise.all(
    missing.map((name) =>
      createAsServer(namespaces, { kind: resource.kind, apiVersion, metadata: { name } }),
    ),
  )
}
