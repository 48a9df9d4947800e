import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../../runtime/files/syncFolder.ts'
import { isMissing } from '../../../runtime/systemReason.ts'
import { StorageError } from '../../errors.ts'
import { readAcknowledged, writeAcknowledged } from '../files/acknowledged.ts'
import { buildDatabase } from '../format/buildDatabase.ts'
import { isLocked } from '../format/database.ts'
import { forgetKnownFiles } from '../files/knownFiles.ts'
import { readableEntries } from '../files/readableEntries.ts'
import { readFormatMarker, writeFormatMarker, type FolderIdentity } from '../files/formatMarker.ts'
import { revisionsSkipped } from '../files/revisionsSkipped.ts'
import { rescuedState } from './rescuedState.ts'

/** A data loss that the operator accepted. */
export interface DataLoss {
  /** The reason why the folder could not be opened. */
  reason: string
  /** Known losses, as phrases; empty: none known. */
  lost: readonly string[]
  /** Number of objects left. */
  objects: number
  /** The revision at which the storage continues. */
  revision: number
  /** The folder that keeps the damaged database; undefined: there was none. */
  kept: string | undefined
}

/**
 * Creates a new database from the readable part of a damaged one, which is kept beside it under
 * another name. History is lost, and revisions continue far above any that may have been served, so
 * that none is reused and reads at older ones get Compacted. After a crash there is the damaged
 * database, the new one, or a state that the next call completes.
 * @throws StorageError Locked, NewerFormat, OlderFormat, OtherIdentity; the system's error.
 */
export async function rescue(
  location: string,
  identity: FolderIdentity,
  reason: string,
): Promise<DataLoss> {
  const folder = join(location, 'db')
  const identityKept = await keptIdentity(location, identity)
  await refuseOtherRescue(location, folder)
  const acknowledged = await acknowledgedOr0(location)
  const before = await unfinished(location, folder)
  const state = rescuedState(await readableEntries(before ?? folder), acknowledged)
  const revision = Math.max(state.revision, acknowledged) + revisionsSkipped
  await buildDatabase(join(location, 'db.rescue'), [[...state.objects.values()]], revision)
  await forgetKnownFiles(location)
  await writeAcknowledged(location, revision, 0)
  const kept = await putInPlace(location, folder)
  await writeFormatMarker(location, identityKept)
  const { lost, objects } = state
  return { reason, lost, objects: objects.size, revision, kept }
}

/** The identity in the marker, completed by `wanted` if it is absent or damaged. */
async function keptIdentity(location: string, wanted: FolderIdentity): Promise<FolderIdentity> {
  try {
    const marker = await readFormatMarker(location, wanted)
    return { ...marker?.identity, ...wanted }
  } catch (error) {
    if (error instanceof StorageError && error.code === 'Corrupt') return wanted
    throw error
  }
}

async function refuseOtherRescue(location: string, folder: string): Promise<void> {
  for (const database of [folder, join(location, 'db.rescue')]) {
    if ((await isThere(database)) && (await isLocked(database)))
      throw new StorageError('Locked', `${database} is in use by another process`)
  }
}

async function acknowledgedOr0(location: string): Promise<number> {
  return (await readAcknowledged(location, false)).revision
}

/** The damaged database, if an earlier call ended after moving it and before the new one was in place. */
async function unfinished(location: string, folder: string): Promise<string | undefined> {
  if (await isThere(folder)) return undefined
  const moved = (await readdir(location)).filter((name) => damagedName.test(name))
  const last = moved.sort((a, b) => numberIn(a) - numberIn(b)).at(-1)
  return last === undefined ? undefined : join(location, last)
}

/** Puts the new database in place and returns the new location of the damaged one. */
async function putInPlace(location: string, folder: string): Promise<string | undefined> {
  let kept: string | undefined
  if (await isThere(folder)) {
    const numbers = (await readdir(location)).filter((name) => damagedName.test(name)).map(numberIn)
    kept = join(location, `db.damaged-${Math.max(0, ...numbers) + 1}`)
    await rename(folder, kept)
  }
  await rename(join(location, 'db.rescue'), folder)
  await syncFolder(location)
  return kept
}

const damagedName = /^db\.damaged-\d+$/

function numberIn(name: string): number {
  return Number(name.slice(name.lastIndexOf('-') + 1))
}

async function isThere(folder: string): Promise<boolean> {
  try {
    await readdir(folder)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
