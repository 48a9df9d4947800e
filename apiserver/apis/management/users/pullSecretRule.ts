import type { OwnershipRule } from '../../../authorization/ownerRule.ts'
import type { AuthorizationAttributes } from '../../../authorization/authorizer.ts'
import type { PolicyRule } from '../../../authorization/rbac/policyRule.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../../meta/types.ts'
import { decodeObject } from '../../../registry/objectBytes.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { objectIfAny } from '../../storeReads.ts'
import { managementResource } from '../managementKind.ts'
import { pullSecrets, type ReferredSecret } from './referredSecrets.ts'

const pullTypes = ['kubernetes.io/dockerconfigjson', 'kubernetes.io/dockercfg']

/**
 * Lets users read the secrets in the `imagePullSecrets` of their User and teams. The writer of such a reference needs
 * the right to read the secret. Source: specification, "User", imagePullSecrets.
 */
export class PullSecretRule implements OwnershipRule {
  readonly #names: NamesProfile
  readonly #access: PlaneAccess
  /** Secrets by stored value, since each state of an object is a different value. */
  readonly #known = new WeakMap<object, readonly ReferredSecret[]>()

  constructor(names: NamesProfile, access: PlaneAccess) {
    this.#names = names
    this.#access = access
  }

  allows({ user, verb, name, ...request }: AuthorizationAttributes): boolean {
    if (verb !== 'get' || name === '' || request.subresource !== '') return false
    if (!request.resource.endsWith('secrets')) return false
    return this.#secretsOf(user).some(
      (secret) =>
        secret.name === name &&
        secret.namespace === request.namespace &&
        secret.resource === request.resource &&
        secret.group === request.group &&
        this.#isForPulling(secret),
    )
  }

  rules(user: UserInfo, namespace: string): PolicyRule[] {
    return this.#secretsOf(user)
      .filter((secret) => secret.namespace === namespace && this.#isForPulling(secret))
      .map(({ group, resource, name }) => ({
        ...{ verbs: ['get'], apiGroups: [group] },
        ...{ resources: [resource], resourceNames: [name] },
      }))
  }

  /** Reports whether the type of a secret is one for pulling images; other secrets cannot be read this way. */
  #isForPulling({ group, resource, namespace, name }: ReferredSecret): boolean {
    if (group !== '') return true
    const secret = objectIfAny(this.#access.store({ group, resource }), { namespace, name })
    return pullTypes.includes(String(secret?.['type']))
  }

  #secretsOf({ groups }: UserInfo): ReferredSecret[] {
    const { platform } = this.#names
    return (['user', 'team'] as const).flatMap((kind) => {
      const prefix = `${platform}:${kind}:`
      const own = groups.filter((group) => group.startsWith(prefix) && group !== `${prefix}*`)
      return own.flatMap((group) => this.#secretsIn(`${kind}s`, group.slice(prefix.length)))
    })
  }

  #secretsIn(resource: string, name: string): readonly ReferredSecret[] {
    const store = this.#access.store(managementResource(this.#names, resource))
    const stored = store.options.storage.newest(store.keyOf({ namespace: '', name }))
    if (stored === undefined) return []
    let secrets = this.#known.get(stored)
    if (secrets === undefined) {
      secrets = pullSecrets(decodeObject(stored.value), this.#names)
      this.#known.set(stored, secrets)
    }
    return secrets
  }
}
