import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateAccessKey } from './authentication/accessKeyForm.ts'
import { privilegedGroup } from './authorization/privilegedGroup.ts'
import { writeFileAtomic } from './atomicFile.ts'
import type { Random } from './meta/clock.ts'
import { StatusError } from './meta/status.ts'
import { groupVersionString, type ApiObject } from './meta/types.ts'
import type { Store } from './registry/store.ts'
import { systemContext } from './registry/systemContext.ts'
import { isMissing } from './systemReason.ts'

const adminName = 'admin'
const keyFile = 'admin-access-key'

export interface AdminAccessOptions {
  users: Store
  keys: Store
  random: Random
  /** The folder that keeps the key between starts; undefined: nothing is kept. */
  dataDir: string | undefined
  /** The key that is asked for. */
  wanted: string | undefined
  /** Nothing was ever stored: the first start. */
  isFirstStart: boolean
}

/** Makes the user `admin` and its access key at the first start, or where another key is asked for or the kept one is
 *  lost; gives the key. A user or key that was deleted since is not brought back. */
export async function ensureAdminAccess(options: AdminAccessOptions): Promise<string> {
  const { users, keys, random, dataDir, wanted, isFirstStart } = options
  const kept = dataDir === undefined ? undefined : await readKept(dataDir)
  const key = wanted ?? kept ?? generateAccessKey(random)
  if (!isFirstStart && key === kept) return key
  if (dataDir !== undefined) await writeFileAtomic(join(dataDir, keyFile), `${key}\n`, 0o600)
  if (isFirstStart) await createMissing(users, adminUser(users))
  await createMissing(keys, accessKey(keys, key))
  const transform = (old: ApiObject): ApiObject => {
    // The schema of the kind says that its spec is an object.
    const spec = old['spec'] as Record<string, unknown>
    return { ...old, spec: { ...spec, key } }
  }
  await keys.update({ namespace: '', name: adminName }, { transform }, systemContext())
  return key
}

async function readKept(dataDir: string): Promise<string | undefined> {
  try {
    const key = (await readFile(join(dataDir, keyFile), 'utf8')).trim()
    return key === '' ? undefined : key
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function createMissing(store: Store, object: ApiObject): Promise<void> {
  try {
    await store.create(object, systemContext())
  } catch (error) {
    if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error
  }
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

function accessKey({ resource }: Store, key: string): ApiObject {
  return {
    kind: resource.kind,
    apiVersion: groupVersionString(resource),
    metadata: { name: adminName },
    spec: { displayName: 'Key of the first start', user: adminName, key, type: 'User' },
  }
}
