import { coreSecretForm, managementSecretForm } from '../apis/management/secrets/secretForm.ts'
import type { Grantor } from '../apis/management/secrets/sharedSecretReference.ts'
import {
  SharedSecretTaker,
  type ConsumerParts,
} from '../apis/management/secrets/sharedSecretConsumer.ts'
import { StoreSynced } from '../apis/management/secrets/storeSynced.ts'
import type { PlaneAccess } from '../apis/planeAccess.ts'
import type { Identities } from '../authentication/identities.ts'
import { SharedSecretSync } from '../controllers/sharedSecretSync.ts'
import type { ConsumerKind } from '../controllers/consumerKind.ts'
import type { Clock } from '../meta/clock.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { UserInfo } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import { SecretStoreSync } from './secretStore/secretStoreSync.ts'
import { addressVariable, type SecretStoreSettings } from './secretStore/secretStoreSettings.ts'
import type { SyncedKind } from './secretStore/syncedKind.ts'

export interface SecretSyncOptions {
  names: NamesProfile
  access: PlaneAccess
  identities: Pick<Identities, 'user' | 'team'>
  sharedSecrets: Store
  projectSecrets: Store
  /** Secrets of the core group. */
  secrets: Store
  /** Environment variables with the address of the secret store, if the settings have none. */
  environment: Readonly<Record<string, string | undefined>>
  clock: Clock
  report: (error: unknown) => void
}

/** Syncing of secrets: from shared secrets, and with an external store. */
export interface SecretSync {
  /** Applies the settings of the external store; until then nothing is synced with it. */
  update(settings: SecretStoreSettings): void
  stop(): void
}

/** Starts copying shared secrets into objects, and syncing with the external store. */
export async function openSecretSync(options: SecretSyncOptions): Promise<SecretSync> {
  const { names, sharedSecrets, secrets, environment, clock, report } = options
  const taking = new SharedSecretSync({
    sharedSecrets,
    kinds: consumerKinds(options),
    clock,
    report,
  })
  const storing = new SecretStoreSync({
    kinds: syncedKinds(options),
    secrets,
    tokenNamespace: names.platform,
    defaultAddress: environment[addressVariable(names)],
    clock,
    report,
  })
  await taking.start()
  await storing.start()
  return {
    update: (settings) => storing.update(settings),
    stop: () => {
      taking.stop()
      storing.stop()
    },
  }
}

function consumerKinds(options: SecretSyncOptions): ConsumerKind[] {
  const { names, access, identities, projectSecrets, secrets } = options
  const identify = (grantor: Grantor) => identityOf(grantor, identities)
  const kind = (store: Store, parts: Pick<ConsumerParts, 'form' | 'strategy'>): ConsumerKind => {
    return withStore(new SharedSecretTaker({ names, access, identify, ...parts }), store)
  }
  return [
    kind(projectSecrets, { form: managementSecretForm, strategy: writingAll(projectSecrets) }),
    kind(secrets, { form: coreSecretForm(names), strategy: secrets.resource.strategy }),
  ]
}

function syncedKinds({ names, sharedSecrets, projectSecrets }: SecretSyncOptions): SyncedKind[] {
  return [sharedSecrets, projectSecrets].map((store) => {
    const strategy = writingAll(store)
    return withStore(new StoreSynced({ names, form: managementSecretForm, strategy }), store)
  })
}

/** The kind's strategy for writes of spec and status at once. */
function writingAll({ resource: { strategy } }: Store): ConsumerParts['strategy'] {
  return {
    validateUpdate: (next, old, context) => strategy.validateUpdate?.(next, old, context) ?? [],
  }
}

function withStore<Kind extends object>(kind: Kind, store: Store): Kind & { store: Store } {
  return Object.assign(kind, { store })
}

/** The current identity of a grantor. A deleted user has none, even if another user has its name by now. */
function identityOf(
  { user, team, name, uid, groups }: Grantor,
  identities: Pick<Identities, 'user' | 'team'>,
): UserInfo | undefined {
  if (user === undefined && team === undefined)
    return { name, uid, groups: groups ?? [], extra: {} }
  const identity = user === undefined ? identities.team(team ?? '') : identities.user(user)
  if (identity === undefined || identity.isDisabled || identity.uid !== uid) return undefined
  return { name: identity.name, uid, groups: [...identity.groups], extra: {} }
}
