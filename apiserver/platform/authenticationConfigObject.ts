import { authenticationConfigMap } from '../authentication/delegation/authenticationConfigMap.ts'
import { hasReason } from '../meta/status.ts'
import type { ApiObject } from '../meta/types.ts'
import { isObject } from '../meta/json/isObject.ts'
import type { Delegation } from './openDelegation.ts'
import type { Listeners } from '../http/openListeners.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'

export interface PublishRequest {
  configMaps: Store
  delegation: Pick<Delegation, 'published' | 'onChange'>
  listeners: Pick<Listeners, 'clientCasChanged'>
  report: (error: unknown) => void
}

/** Publishes the trusted CAs to clients, in handshakes, and to extension servers: now, and after each change. */
export async function publishTrust(request: PublishRequest): Promise<void> {
  const { configMaps, delegation, listeners, report } = request
  const publish = () => publishAuthenticationConfig(configMaps, delegation.published())
  delegation.onChange(() => {
    listeners.clientCasChanged()
    publish().catch(report)
  })
  await publish()
}

/**
 * Publishes the trusted CAs to extension servers. Keys missing in `data` are not changed: an
 * administrator may have set them. If `data` is empty, no object is created. Source: reference 9.3.
 */
async function publishAuthenticationConfig(
  configMaps: Store,
  data: Readonly<Record<string, string>>,
): Promise<void> {
  if (Object.keys(data).length === 0) return
  const transform = (old: ApiObject): ApiObject => {
    const kept = isObject(old['data']) ? old['data'] : {}
    return { ...old, data: { ...kept, ...data } }
  }
  try {
    await configMaps.update(authenticationConfigMap, { transform }, systemContext())
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
    const metadata = { ...authenticationConfigMap }
    await configMaps.create(
      { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { ...data } },
      systemContext(),
    )
  }
}
