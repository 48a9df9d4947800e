import { hash } from 'node:crypto'
import type { AdapterPayload } from 'oidc-provider'
import { managementResource } from '../../apis/management/managementKind.ts'
import { objectIfAny } from '../../apis/storeReads.ts'
import type { ApiObject } from '../../meta/types.ts'
import { ignoreAlreadyExists, ignoreNotFound } from '../../registry/ignoring.ts'
import { systemContext } from '../../registry/systemContext.ts'
import type { ProviderAccount } from './accounts.ts'
import { loginSeconds } from './lifetimes.ts'
import type { ProviderServices } from './providerServices.ts'

const type = 'OIDCRefreshToken'

/**
 * An access key for each grant with refresh tokens, which makes it visible to the user and to administrators: deleting
 * it revokes them. Its value is unknown: a refresh token gives no access to the API.
 * Source: specification, "OwnedAccessKey", oidcProvider; platform facts 1.4.
 */
export class RefreshKeys {
  readonly #services: ProviderServices

  constructor(services: ProviderServices) {
    this.#services = services
  }

  /**
   * Creates the key of a grant, if missing; returns its uid. `payload`: the payload of a refresh
   * token.
   */
  async ensure(
    { user }: ProviderAccount,
    payload: AdapterPayload,
    redirectUri: string | undefined,
  ): Promise<string> {
    const { grantId = '', clientId = '', nonce, scope } = payload
    const settings = this.#services.settings()
    const client = settings.identityProvider.clients.find((one) => one.clientId === clientId)
    const spec = {
      displayName: `Login at ${client?.name || clientId}`,
      user,
      type,
      ttl: loginSeconds(settings),
      oidcProvider: {
        clientId,
        ...(nonce === undefined ? {} : { nonce }),
        ...(redirectUri === undefined ? {} : { redirectUri }),
        ...(scope === undefined ? {} : { scopes: scope }),
      },
    }
    const keys = this.#store()
    const { kind } = keys.resource
    const metadata = { name: keyName(grantId) }
    await keys
      .create({ kind, apiVersion: keys.apiVersion, metadata, spec }, systemContext())
      .catch(ignoreAlreadyExists)
    return this.#key(grantId)?.metadata.uid ?? ''
  }

  /**
   * Reports whether the key of a grant has this uid and is enabled: another key with its name may have been created.
   */
  isOfUse(grantId: string, uid: string | undefined): boolean {
    const key = this.#key(grantId)
    // Sound by the schema of the kind.
    const { disabled } = (key?.['spec'] ?? {}) as { disabled?: boolean }
    return key !== undefined && key.metadata.uid === uid && disabled !== true
  }

  async remove(grantId: string): Promise<void> {
    const target = { namespace: '', name: keyName(grantId) }
    if (this.#key(grantId) === undefined) return
    await this.#store().delete(target, {}, systemContext()).catch(ignoreNotFound)
  }

  #key(grantId: string): ApiObject | undefined {
    return objectIfAny(this.#store(), { namespace: '', name: keyName(grantId) })
  }

  #store() {
    const { access, names } = this.#services
    return access.store(managementResource(names, 'ownedaccesskeys'))
  }
}

function keyName(grantId: string): string {
  return `oidc-${hash('sha256', grantId).slice(0, 20)}`
}
