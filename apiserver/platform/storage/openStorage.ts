import { readFile } from 'node:fs/promises'
import type { Clock, Random } from '../../meta/clock.ts'
import type { Histogram } from '../../meta/collections/histogram.ts'
import type { EtcdOptions } from '../../runtime/options/etcdOptions.ts'
import type { Logger } from '../../runtime/logging.ts'
import { removedSecretFiles } from '../../runtime/files/secretFile.ts'
import type { ServerOptions } from '../../runtime/options/serverOptions.ts'
import { cannotRead } from '../../runtime/startError.ts'
import type { EtcdAccess } from '../../storage/etcd/etcdClient.ts'
import { LevelStorage } from '../../storage/level/levelStorage.ts'
import type { Sealing } from '../../storage/encryption/sealing.ts'
import type { Storage } from '../../storage/storage.ts'
import { storedNames } from './storedNames.ts'

/** The storage of a whole server. */
export interface ServerStorage extends Storage {
  readonly writeSeconds: Histogram
  /** Set if something was lost at this opening, because the operator accepted it. */
  readonly dataLoss?: object | undefined
}

export interface StorageSurroundings {
  clock: Clock
  random: Random
  log: Logger
  /** True if a write waits until it is on disk; otherwise a power failure may lose it. Default true. */
  syncsWrites?: boolean
  /** Encryption of values; undefined: none. */
  sealing: Sealing | undefined
}

/** Opens the configured storage. @throws StorageError, StartError. */
export async function openStorage(
  options: ServerOptions,
  surroundings: StorageSurroundings,
): Promise<ServerStorage> {
  const { storage, dataDir } = options
  const { log } = surroundings
  const opened = await (storage === 'etcd' ? openEtcd : openLevel)(options, surroundings)
  const removed =
    storage === 'memory' || dataDir === undefined ? [] : await removedSecretFiles(dataDir)
  for (const file of removed) {
    log.warn({ file }, 'signing keys were removed; their signatures are no longer valid')
  }
  return opened
}

async function openLevel(
  { dataDir, storage, history, names, acceptDataLoss, maxObjectBytes }: ServerOptions,
  { clock, log, sealing, syncsWrites = true }: StorageSurroundings,
): Promise<ServerStorage> {
  const opened = await LevelStorage.open({
    location: storage === 'memory' ? undefined : dataDir,
    acceptDataLoss,
    syncsWrites,
    clock,
    identity: storedNames(names),
    maxValueBytes: maxObjectBytes,
    ...(sealing && { sealing }),
    ...history,
    ...reports(log),
  })
  if (opened.dataLoss !== undefined) {
    log.warn({ ...opened.dataLoss }, 'data folder damaged; data loss accepted')
  } else if (acceptDataLoss) log.info({}, 'data folder undamaged; no data lost')
  return opened
}

/** Opens etcd; its client is loaded only here. */
async function openEtcd(
  { etcd, history, names, maxObjectBytes }: ServerOptions,
  { clock, random, log, sealing }: StorageSurroundings,
): Promise<ServerStorage> {
  const { EtcdStorage } = await import('../../storage/etcd/etcdStorage.ts')
  const { prefix, compactionIntervalMs, healthcheckTimeoutMs } = etcd
  return EtcdStorage.open({
    access: await accessTo(etcd),
    ...{ prefix, compactionIntervalMs, healthcheckTimeoutMs },
    clock,
    firstEndpoint: random.fraction(),
    identity: storedNames(names),
    maxValueBytes: maxObjectBytes,
    ...(sealing && { sealing }),
    ...history,
    ...reports(log),
  })
}

function reports(log: Logger) {
  return {
    onFailure: (err: unknown) => log.error({ err }, 'storage refuses writes'),
    onRecovered: () => log.info({}, 'storage accepts writes again'),
  }
}

/** Addresses and credentials, read from their files. @throws StartError. */
export async function accessTo(options: EtcdOptions): Promise<EtcdAccess> {
  const { servers, caFile, certFile, keyFile, usernameFile, passwordFile } = options
  const [ca, cert, key, name, password] = await Promise.all(
    [caFile, certFile, keyFile, usernameFile, passwordFile].map((path) => readIfGiven(path)),
  )
  return {
    endpoints: servers,
    credentials: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) },
    login: name && password && { name: textOf(name), password: textOf(password) },
  }
}

async function readIfGiven(path: string | undefined): Promise<Buffer | undefined> {
  if (path === undefined) return undefined
  try {
    return await readFile(path)
  } catch (error) {
    throw cannotRead(`the file ${path}, which etcd is reached with`, error)
  }
}

function textOf(file: Buffer): string {
  return file.toString().trim()
}
