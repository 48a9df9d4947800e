import { join } from 'node:path'
import { accessKeyDigest, generateAccessKey } from '../authentication/accessKeys/accessKeyForm.ts'
import type { OperatorKey } from '../authentication/accessKeys/operatorKey.ts'
import { privilegedGroup } from '../authorization/privilegedGroup.ts'
import { objectIfAny } from '../apis/storeReads.ts'
import { writeFileAtomic } from '../runtime/files/atomicFile.ts'
import { readIfAny } from '../runtime/files/secretFile.ts'
import type { Random } from '../meta/clock.ts'
import { hasReason } from '../meta/status.ts'
import { groupVersionString, type ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'

const adminName = 'admin'
const keyFile = 'admin-access-key'

export interface AdminAccessOptions {
  users: Store
  keys: Store
  random: Random
  /** The folder that keeps the key between starts; undefined: not kept. */
  dataDir: string | undefined
  /** The configured key. */
  wanted: string | undefined
  /** True if nothing was ever stored: the first start. */
  isFirstStart: boolean
}

/** The operator's key, and its part that authentication needs. */
export interface AdminAccess {
  /** A secret. */
  key: string
  operator: OperatorKey
}

/**
 * Creates the user `admin` at the first start, and its access key if there is no valid one. The key
 * is not valid if a different one is configured, if it is lost, or if its object was deleted or
 * disabled. A key that was changed through the API is kept. A deleted user is not created again.
 */
export async function ensureAdminAccess(options: AdminAccessOptions): Promise<AdminAccess> {
  const { users, keys, dataDir, wanted, isFirstStart } = options
  const kept = dataDir === undefined ? undefined : await readKept(dataDir)
  const { name, key, isThere } = chosenKey(options, kept)
  if (isFirstStart && (await createMissing(users, adminUser(users)))) await forgetKey(keys, name)
  if (!isThere) {
    if (dataDir !== undefined) await writeFileAtomic(join(dataDir, keyFile), `${key}\n`, 0o600)
    await storeKey(keys, name, key)
  }
  const digest = accessKeyDigest(key)
  const isGiven = wanted !== undefined
  return {
    key,
    operator: { name, digest, user: adminName, group: privilegedGroup, isGiven },
  }
}

interface ChosenKey {
  name: string
  key: string
  /** True if the key is stored in a valid object. */
  isThere: boolean
}

function chosenKey(
  { keys, random, wanted, isFirstStart }: AdminAccessOptions,
  kept: string | undefined,
): ChosenKey {
  if (wanted !== undefined) {
    return { name: adminName, key: wanted, isThere: wanted === kept && isOf(keys, adminName, kept) }
  }
  if (isFirstStart || (kept === undefined && storedKey(keys, adminName)?.isEnded !== false)) {
    return { name: adminName, key: kept ?? generateAccessKey(random), isThere: false }
  }
  if (kept === undefined) {
    // The file is lost, and copies of its key may be in use: it remains valid in addition to the
    // new one.
    const made = generateAccessKey(random)
    return { name: ownName(made), key: made, isThere: false }
  }
  const name = [adminName, ownName(kept)].find((one) => isOf(keys, one, kept))
  if (name !== undefined) return { name, key: kept, isThere: true }
  const key = generateAccessKey(random)
  return { name: mayReplace(keys, kept) ? adminName : ownName(key), key, isThere: false }
}

/** Reports whether the object with this name makes the key valid. */
function isOf(keys: Store, name: string, key: string): boolean {
  const stored = storedKey(keys, name)
  return stored?.digest === accessKeyDigest(key) && !stored.isEnded
}

/** Reports whether the object may be replaced: it is not being deleted, and its key was not changed by a user. */
function mayReplace(keys: Store, kept: string): boolean {
  const stored = storedKey(keys, adminName)
  if (stored === undefined) return true
  return !stored.isDeleting && (stored.isEnded || stored.digest === accessKeyDigest(kept))
}

interface StoredKey {
  digest: string
  isDeleting: boolean
  /** True if the key does not authenticate anyone. */
  isEnded: boolean
}

function storedKey(keys: Store, name: string): StoredKey | undefined {
  const object = objectIfAny(keys, { namespace: '', name })
  if (object === undefined) return undefined
  // Sound by the schema of the kind.
  const { key = '', disabled } = object['spec'] as { key?: string; disabled?: boolean }
  const isDeleting = object.metadata.deletionTimestamp !== undefined
  return { digest: key, isDeleting, isEnded: disabled === true || isDeleting }
}

function ownName(key: string): string {
  return `${adminName}-${accessKeyDigest(key).slice(-8)}`
}

/** Fields that would revoke or restrict a configured key. */
const ending = ['disabled', 'ttl', 'ttlAfterLastActivity', 'scope']

async function storeKey(keys: Store, name: string, key: string): Promise<void> {
  const whole = accessKey(keys, name, key)
  const transform = (old: ApiObject): ApiObject => {
    // Sound by the schema of the kind.
    const spec = { ...(old['spec'] as Record<string, unknown>), user: adminName, key }
    for (const field of ending) Reflect.deleteProperty(spec, field)
    return { ...old, spec }
  }
  const request = { transform, createMissing: () => whole }
  await keys.update({ namespace: '', name }, request, systemContext())
}

async function readKept(dataDir: string): Promise<string | undefined> {
  const key = (await readIfAny(join(dataDir, keyFile)))?.trim()
  return key === '' ? undefined : key
}

/** Returns whether the object was created. */
async function createMissing(store: Store, object: ApiObject): Promise<boolean> {
  try {
    await store.create(object, systemContext())
    return true
  } catch (error) {
    if (hasReason(error, 'AlreadyExists')) return false
    throw error
  }
}

/** Deletes a key that survived an accepted data loss: it belongs to the lost user, not to a new one of that name. */
async function forgetKey(keys: Store, name: string): Promise<void> {
  if (storedKey(keys, name) !== undefined)
    await keys.delete({ namespace: '', name }, {}, systemContext())
}

function adminUser({ resource }: Store): ApiObject {
  return {
    kind: resource.kind,
    apiVersion: groupVersionString(resource),
    metadata: { name: adminName },
    spec: {
      displayName: 'Administrator',
      username: adminName,
      subject: adminName,
      groups: [privilegedGroup],
    },
  }
}

function accessKey({ resource }: Store, name: string, key: string): ApiObject {
  return {
    kind: resource.kind,
    apiVersion: groupVersionString(resource),
    metadata: { name },
    spec: { displayName: 'Key of the first start', user: adminName, key, type: 'User' },
  }
}
