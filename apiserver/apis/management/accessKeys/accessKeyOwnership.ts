import type { AuthorizationAttributes } from '../../../authorization/authorizer.ts'
import type { OwnershipRule } from '../../../authorization/ownerRule.ts'
import type { PolicyRule } from '../../../authorization/rbac/policyRule.ts'
import { superuserGroups } from '../../../authorization/superusers.ts'
import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../../meta/types.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { allObjects, objectIfAny } from '../../storeReads.ts'
import { specOf, type AccessKeySpec } from './accessKeySpec.ts'
import { isOwnKey } from './accessKeyRules.ts'
import { managementResource } from '../managementKind.ts'

/** Reports whether a key belongs to the caller or one of its teams, or the caller has all rights. */
export function mayManageKey(spec: AccessKeySpec, user: UserInfo, names: NamesProfile): boolean {
  const isSuperuser = superuserGroups(names).some((group) => user.groups.includes(group))
  return isSuperuser || isOwnKey(spec, user, names)
}

const keyVerbs = ['get', 'update', 'patch', 'delete']
/**
 * Lets every user create and manage their own keys, and reveals only the existence of other keys.
 * Source: platform facts 1.4, 7.2.
 */
export class AccessKeyOwnership implements OwnershipRule {
  readonly #names: NamesProfile
  readonly #access: PlaneAccess

  constructor(names: NamesProfile, access: PlaneAccess) {
    this.#names = names
    this.#access = access
  }

  allows(request: AuthorizationAttributes): boolean {
    if (!request.isResource || request.group !== managementGroup(this.#names)) return false
    if (!request.user.groups.includes('system:authenticated')) return false
    if (request.subresource !== '') return false
    if (request.resource === 'resetaccesskeys') return request.verb === 'create'
    return request.resource === 'ownedaccesskeys' && this.#allowsKey(request)
  }

  async rules(user: UserInfo): Promise<PolicyRule[]> {
    const apiGroups = [managementGroup(this.#names)]
    const keys = this.#access.store(managementResource(this.#names, 'ownedaccesskeys'))
    const ownKeys = (await allObjects(keys))
      .filter((key) => mayManageKey(specOf(key), user, this.#names))
      .map(({ metadata }) => metadata.name ?? '')
    return [
      { verbs: ['create'], apiGroups, resources: ['ownedaccesskeys', 'resetaccesskeys'] },
      ...(ownKeys.length === 0
        ? []
        : [{ verbs: keyVerbs, apiGroups, resources: ['ownedaccesskeys'], resourceNames: ownKeys }]),
    ]
  }

  /**
   * Allows requests for keys that do not exist yet, which clients send on apply; the response
   * reports that the key is missing.
   */
  #allowsKey({ verb, name, user }: AuthorizationAttributes): boolean {
    if (verb === 'create') return true
    if (name === '' || !keyVerbs.includes(verb)) return false
    const keys = this.#access.store(managementResource(this.#names, 'ownedaccesskeys'))
    const key = objectIfAny(keys, { namespace: '', name })
    return key === undefined || mayManageKey(specOf(key), user, this.#names)
  }
}
