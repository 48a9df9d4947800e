import { PlaneAccess } from '../../apiserver/apis/planeAccess.ts'
import { ownedAccessKeyResource } from '../../apiserver/apis/management/accessKeys/ownedAccessKey.ts'
import { userResource } from '../../apiserver/apis/management/users/user.ts'
import type { AccessKeyLimits } from '../../apiserver/authentication/accessKeys/accessKeyLifetime.ts'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import type { ResourceDefinition } from '../../apiserver/registry/resource.ts'
import type { RequestContext } from '../../apiserver/registry/strategy.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { FakeRandom } from './fakes/fakeRandom.ts'
import { canonical, change, create, openStores, type Stores } from './stores.ts'

const apiVersion = 'management.platform/v1'

/** Teams, limited to what identities and keys read. */
const teamResource: ResourceDefinition = {
  ...userResource(defaultNames),
  ...{ plural: 'teams', singular: 'team', kind: 'Team' },
  schema: {
    type: 'object',
    properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  },
  strategy: {},
  selectableFields: {},
}

/** Connected stores of keys, users and teams, as on a plane. */
export class KeyStores {
  readonly stores: Stores
  readonly keys: Store
  readonly users: Store
  readonly teams: Store
  readonly access: PlaneAccess
  /** Limits of the platform for keys. */
  limits: AccessKeyLimits = {}

  private constructor(stores: Stores) {
    this.stores = stores
    this.access = new PlaneAccess()
    const key = ownedAccessKeyResource(
      defaultNames,
      new FakeRandom(),
      this.access,
      () => this.limits,
    )
    const user = userResource(defaultNames)
    this.access.bind({
      resources: new ResourceSet([key, user, teamResource]),
      storeOf: (resource) => stores.storeOf(resource),
      authorize: () => ({ allowed: true, reason: '' }),
    })
    this.keys = stores.storeOf(key)
    this.users = stores.storeOf(user)
    this.teams = stores.storeOf(teamResource)
  }

  static async open(): Promise<KeyStores> {
    return new KeyStores(await openStores())
  }

  addUser(name: string, spec: Record<string, unknown> = {}): Promise<ApiObject> {
    return create(this.users, { kind: 'User', apiVersion, metadata: { name }, spec })
  }

  addTeam(name: string, spec: Record<string, unknown> = {}): Promise<ApiObject> {
    return create(this.teams, { kind: 'Team', apiVersion, metadata: { name }, spec })
  }

  addKey(
    name: string,
    spec: Record<string, unknown>,
    context?: RequestContext,
  ): Promise<ApiObject> {
    const object = { kind: 'OwnedAccessKey', apiVersion, metadata: { name }, spec }
    return create(this.keys, object, context)
  }

  /** Changes fields of the spec. */
  set(store: Store, name: string, spec: Record<string, unknown>): Promise<ApiObject> {
    return change(store, { namespace: '', name }, (object) => {
      // Every kind here has an object as spec.
      object['spec'] = { ...(object['spec'] as object), ...spec }
    })
  }

  /** The same as a user's request. */
  async setAs(context: RequestContext, name: string, spec: Record<string, unknown>): Promise<void> {
    const transform = (old: ApiObject): ApiObject =>
      // Keys have an object as spec.
      canonical({ ...old, spec: { ...(old['spec'] as object), ...spec } }, this.keys.resource)
    await this.keys.update({ namespace: '', name }, { transform }, context)
  }

  close(): Promise<void> {
    return this.stores.close()
  }
}
