import { ConnectorData } from '../../../apis/management/users/connectorData.ts'
import { managementResource } from '../../../apis/management/managementKind.ts'
import { StatusError } from '../../../meta/status.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { ignoreNotFound, ignoring } from '../../../registry/ignoring.ts'
import type { Store } from '../../../registry/store.ts'
import { systemContext } from '../../../registry/systemContext.ts'
import type { Connector } from '../connectors/connector.ts'
import type { ExternalIdentity } from './externalIdentity.ts'
import { identityFields } from '../loginKeys.ts'
import type { LoginServices } from '../loginServices.ts'
import type { SingleSignOn } from './singleSignOn.ts'

/** An access key created by a login through a provider. */
export interface LoginKey {
  name: string
  uid: string
  /** The name of the User. */
  user: string
  /** The id of the connector. */
  connector: string
}

/** Updates one login from its provider. */
export class IdentityRefresh {
  readonly #services: LoginServices
  readonly #signOn: SingleSignOn
  readonly #keys: Store

  constructor(services: LoginServices, signOn: SingleSignOn) {
    this.#services = services
    this.#signOn = signOn
    this.#keys = services.access.store(managementResource(services.names, 'ownedaccesskeys'))
  }

  /**
   * Updates user and key with the provider's current data; the key of a user that it rejects is deleted.
   * @throws Error if the provider is unavailable.
   */
  async of(key: LoginKey, connector: Connector): Promise<void> {
    const store = new ConnectorData(this.#keys)
    const data = store.get(key.uid)
    if (data === undefined) return
    const keep = (next: string) => store.set(key.uid, Buffer.from(next).toString('base64'))
    try {
      const told = await connector.refresh?.(Buffer.from(data, 'base64').toString('utf8'), keep)
      if (told === undefined) return
      await this.#keep(key, await this.#signOn.renew(key.user, told))
    } catch (error) {
      if (!isRefusal(error)) throw error
      await this.#end(key)
    }
  }

  async #keep({ name }: LoginKey, identity: ExternalIdentity): Promise<void> {
    const fields = identityFields(identity, this.#services.clock.now())
    const transform = (old: ApiObject): ApiObject => ({
      ...old,
      spec: { ...(old['spec'] as object | undefined), ...fields },
    })
    await this.#keys
      .update({ namespace: '', name }, { transform }, systemContext())
      .catch(ignoreNotFound)
  }

  async #end({ name, uid }: LoginKey): Promise<void> {
    const target = { namespace: '', name }
    await this.#keys
      .delete(target, { preconditions: { uid } }, systemContext())
      .catch(ignoring('NotFound', 'Conflict'))
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof StatusError && (error.code === 401 || error.code === 403)
}
