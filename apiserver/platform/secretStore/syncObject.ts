import { StatusError } from '../../meta/status.ts'
import type { ApiObject } from '../../meta/types.ts'
import { ignoreNotFound } from '../../registry/ignoring.ts'
import { systemContext } from '../../registry/systemContext.ts'
import type { KeyValueEngine, StorePath } from './keyValueEngine.ts'
import { SecretStoreError } from './secretStoreError.ts'
import { digest, fromStore, toStore, type SecretData } from './storedData.ts'
import { decideSync, mergeOf, type SyncBase, type SyncState } from './syncDecision.ts'
import type { SyncCondition, SyncedChange, SyncedKind } from './syncedKind.ts'

export interface SyncTurn {
  kind: SyncedKind
  engine: KeyValueEngine
  now: () => number
}

/**
 * Makes an object and its place in the store equal. Each write to the object triggers another turn, so a turn may leave
 * work to the next one.
 * @throws SecretStoreError if the error is temporary; others are recorded in the object's condition.
 */
export async function syncObject(object: ApiObject, turn: SyncTurn): Promise<void> {
  const { kind } = turn
  const place = kind.place(object)
  if (object.metadata.deletionTimestamp !== undefined) return letGo(object, place, turn)
  if (place === undefined) return write(object, { base: null, isHeld: false }, turn)
  // The object must be held before anything is in the store, so that a deletion waits.
  if (!kind.isHeld(object)) return write(object, { isHeld: true }, turn)
  try {
    await syncWith(place, object, turn)
  } catch (error) {
    await tell(error, object, turn)
    if (error instanceof SecretStoreError && error.isTransient) throw error
  }
}

/** Releases a deleted object, regardless of the store. */
export async function release(object: ApiObject, turn: Omit<SyncTurn, 'engine'>): Promise<void> {
  if (!turn.kind.isHeld(object)) return
  await write(object, { isHeld: false }, turn)
}

async function syncWith(place: StorePath, object: ApiObject, turn: SyncTurn): Promise<void> {
  const { kind, engine } = turn
  const store = await engine.read(place)
  const local = kind.data(object)
  const salt = object.metadata.uid ?? ''
  const state: SyncState = { local, store, base: baseAt(place, kind.base(object)), salt }
  const condition = ready(place)
  const baseOf = (data: SecretData, version: number, isDeleted: boolean): SyncBase => {
    return { ...place, version, isDeleted, digest: digest(data, salt) }
  }
  const decision = decideSync(state)
  switch (decision.act) {
    case 'none':
      return write(
        object,
        { base: state.base ?? baseOf(local, store.version, store.isDeleted), condition },
        turn,
      )
    case 'push': {
      const version = await engine.write(place, toStore(local, store.data), store.version)
      return write(object, { base: baseOf(local, version, false), condition }, turn)
    }
    case 'take': {
      const { data } = decision
      const base = baseOf(data, store.version, store.isDeleted)
      return write(object, { data, base, condition }, turn)
    }
    case 'merge': {
      // The merged data is written here first; its difference from the store is then a local change.
      const data = await mergeWith(state, place, engine)
      const base = baseOf(fromStore(store.data), store.version, false)
      return write(object, { data, base, condition }, turn)
    }
  }
}

async function mergeWith(
  state: SyncState,
  place: StorePath,
  engine: KeyValueEngine,
): Promise<SecretData> {
  const { base } = state
  if (base === undefined || base.isDeleted) return mergeOf(state, undefined)
  const common = await engine.read(place, base.version)
  return mergeOf(state, common.isDeleted ? undefined : common)
}

/** Deletes the object's data in the store, unless another client of the store has changed it since. */
async function letGo(
  object: ApiObject,
  place: StorePath | undefined,
  turn: SyncTurn,
): Promise<void> {
  const { kind, engine } = turn
  if (!kind.isHeld(object)) return
  const base = place && baseAt(place, kind.base(object))
  try {
    if (base?.isDeleted === false) {
      const { version, isDeleted } = await engine.read(base)
      if (version === base.version && !isDeleted) await engine.remove(base)
    }
  } catch (error) {
    if (!(error instanceof SecretStoreError) || error.isTransient) throw error
    if (error.reason === 'Closed') return
    // A permanent refusal of the store must not block the deletion forever.
  }
  await release(object, turn)
}

/** The base, if it belongs to this place. */
function baseAt({ mount, path }: StorePath, base: SyncBase | undefined): SyncBase | undefined {
  return base?.mount === mount && base.path === path ? base : undefined
}

function ready({ mount, path }: StorePath): SyncCondition {
  return { isReady: true, reason: 'Synced', message: `The data is that of ${mount}/${path}.` }
}

async function tell(error: unknown, object: ApiObject, turn: SyncTurn): Promise<void> {
  const isKnown = error instanceof SecretStoreError || error instanceof StatusError
  if (!isKnown || (error instanceof StatusError && error.reason !== 'Invalid')) throw error
  const { reason, message } = error
  // A lost race is not reported, and a connection is only closed when its settings change.
  if (reason === 'Conflict' || reason === 'Closed') return
  await write(object, { condition: { isReady: false, reason, message } }, turn)
}

/**
 * Writes a decision for `object` to its newest state, if it still applies: the same place and, if data is replaced, the
 * same data.
 */
async function write(
  object: ApiObject,
  change: SyncedChange,
  { kind, now }: Omit<SyncTurn, 'engine'>,
): Promise<void> {
  const place = JSON.stringify(kind.place(object))
  const data = JSON.stringify(kind.data(object))
  const transform = (newest: ApiObject): ApiObject => {
    if (newest.metadata.uid !== object.metadata.uid) return newest
    if (JSON.stringify(kind.place(newest)) !== place) return newest
    if (change.data !== undefined && JSON.stringify(kind.data(newest)) !== data) return newest
    return kind.changed(newest, change, now())
  }
  const { name = '', namespace = '' } = object.metadata
  const request = { transform, strategy: kind.strategy }
  await kind.store.update({ namespace, name }, request, systemContext()).catch(ignoreNotFound)
}
