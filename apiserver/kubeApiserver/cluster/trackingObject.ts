import { createAsServer } from '../../controlPlane/createAsServer.ts'
import type { Clock } from '../../meta/clock.ts'
import { ignoreAlreadyExists } from '../../registry/ignoring.ts'
import type { Store } from '../../registry/store.ts'

const name = 'kube-apiserver-legacy-service-account-token-tracking'

/**
 * Creates the config map with the time since which the use of token secrets is recorded. Programs
 * that delete unused token secrets read it.
 * Source: seen on kube-apiserver 1.37.2.
 */
export async function createTrackingObject(configMaps: Store, clock: Clock): Promise<void> {
  const since = new Date(clock.now()).toISOString().slice(0, 'yyyy-mm-dd'.length)
  const metadata = { name, namespace: 'kube-system' }
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { since } }
  await createAsServer(configMaps, object).catch(ignoreAlreadyExists)
}
