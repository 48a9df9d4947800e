import { userResource } from '../../apiserver/apis/management/users/user.ts'
import {
  coreSecretForm,
  managementSecretForm,
} from '../../apiserver/apis/management/secrets/secretForm.ts'
import { projectSecretResource } from '../../apiserver/apis/management/secrets/projectSecret.ts'
import { sharedSecretResource } from '../../apiserver/apis/management/secrets/sharedSecret.ts'
import { syncsWithStore } from '../../apiserver/apis/management/secrets/syncsWithStore.ts'
import { takesSharedSecret } from '../../apiserver/apis/management/secrets/usesSharedSecret.ts'
import { secretResource } from '../../apiserver/apis/kubernetes/core/secret.ts'
import { PlaneAccess } from '../../apiserver/apis/planeAccess.ts'
import { Identities } from '../../apiserver/authentication/identities.ts'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'
import type { ApiObject, UserInfo } from '../../apiserver/meta/types.ts'
import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import type { RequestContext } from '../../apiserver/registry/strategy.ts'
import { openSecretSync, type SecretSync } from '../../apiserver/platform/secretSync.ts'
import { clientContext } from './contexts.ts'
import { openStores, type Stores } from './stores.ts'

/**
 * Shared secrets, project secrets and core secrets with the controllers that sync them, and rights
 * granted by a test.
 */
export class SecretPlane {
  readonly stores: Stores
  readonly reports: unknown[] = []
  /** Right such as `jane use shared/token`, or `jane *`. */
  readonly rights = new Set<string>()
  readonly environment: Record<string, string> = {}
  sync: SecretSync | undefined
  readonly #access = new PlaneAccess()
  readonly #kinds

  constructor(stores: Stores) {
    this.stores = stores
    const names = defaultNames
    const access = this.#access
    this.#kinds = {
      users: userResource(names),
      sharedSecrets: syncsWithStore(sharedSecretResource(names), names, access),
      projectSecrets: takesSharedSecret(
        syncsWithStore(projectSecretResource(names), names, access),
        { names, access, form: managementSecretForm },
      ),
      secrets: takesSharedSecret(secretResource, { names, access, form: coreSecretForm(names) }),
    }
    access.bind({
      resources: new ResourceSet(Object.values(this.#kinds)),
      storeOf: (resource) => this.stores.storeOf(resource),
      authorize: ({ user, verb, namespace, name }) => ({
        allowed:
          user.groups.includes('system:masters') ||
          this.rights.has(`${user.name} *`) ||
          this.rights.has(`${user.name} ${verb} ${namespace}/${name}`),
        reason: '',
      }),
    })
  }

  static async open(): Promise<SecretPlane> {
    return new SecretPlane(await openStores())
  }

  get sharedSecrets(): Store {
    return this.stores.storeOf(this.#kinds.sharedSecrets)
  }
  get projectSecrets(): Store {
    return this.stores.storeOf(this.#kinds.projectSecrets)
  }
  get secrets(): Store {
    return this.stores.storeOf(this.#kinds.secrets)
  }
  get users(): Store {
    return this.stores.storeOf(this.#kinds.users)
  }

  async start(): Promise<void> {
    const { clock } = this.stores
    const identities = new Identities({ names: defaultNames, users: this.users })
    await identities.start()
    this.sync = await openSecretSync({
      names: defaultNames,
      access: this.#access,
      identities,
      sharedSecrets: this.sharedSecrets,
      projectSecrets: this.projectSecrets,
      secrets: this.secrets,
      environment: this.environment,
      clock,
      report: (error) => this.reports.push(error),
    })
  }

  async close(): Promise<void> {
    this.sync?.stop()
    await this.stores.close()
  }
}

/** Request of a platform user, whose User object has this name and UID. */
export function userContext(name: string, uid: string): RequestContext {
  const user: UserInfo = { name, uid, groups: [], extra: {}, credential: { user: name } }
  return { ...clientContext(), user }
}

const apiVersion = 'management.platform/v1'
type Metadata = ApiObject['metadata']

export function sharedSecret(data: Record<string, string>, metadata: Metadata = {}): ApiObject {
  const place = { name: 'token', namespace: 'shared' }
  return { kind: 'SharedSecret', apiVersion, metadata: { ...place, ...metadata }, spec: { data } }
}

export function projectSecret(data: Record<string, string>, metadata: Metadata = {}): ApiObject {
  const place = { name: 'mine', namespace: 'p-one' }
  return { kind: 'ProjectSecret', apiVersion, metadata: { ...place, ...metadata }, spec: { data } }
}

export function coreSecret(data: Record<string, string>, metadata: Metadata = {}): ApiObject {
  const place = { name: 'mine', namespace: 'p-one' }
  return { kind: 'Secret', apiVersion: 'v1', metadata: { ...place, ...metadata }, data }
}

export const takesToken: Metadata = {
  labels: { 'platform/sharedsecret-name': 'token', 'platform/sharedsecret-namespace': 'shared' },
}
