import { join } from 'node:path'
import { writeFileAtomic } from '../../runtime/files/atomicFile.ts'
import { readIfAny, secretKeeper, type SecretKeeper } from '../../runtime/files/secretFile.ts'
import type { Storage } from '../../storage/storage.ts'
import { storageKeeper } from './storageKeeper.ts'

/** Files of the data folder that all servers share: the administrator's key, and the CA with its key. */
const adminKey = 'admin-access-key'
const authority = ['pki/ca.key', 'pki/ca.crt']

/** Secrets of the server, in files of the data folder, or in a storage that other servers share. */
export interface SharedFiles {
  /** True if other servers have the files, too. */
  readonly isShared: boolean
  /** Keeps one secret, named by its path in the data folder. */
  keeper(name: string): SecretKeeper
  /** Loads the CA shared by another server. */
  getAuthority(): Promise<void>
  /** Loads the administrator's key shared by another server. */
  getAdminKey(): Promise<void>
  /** Issuer of tokens for a server at `url`: the URL of the first server with this storage. */
  issuer(url: string): Promise<string>
  /** Shares the administrator's key. */
  shareAdminKey(): Promise<void>
  /** Shares the CA; returns true if the CA of another server was adopted instead. */
  shareAuthority(): Promise<boolean>
}

export function sharedFiles(storage: Storage, dataDir: string | undefined): SharedFiles {
  if (!storage.isShared || dataDir === undefined) return localFiles(dataDir)
  const keeper = (name: string) =>
    storageKeeper(storage, name, () => secretKeeper(dataDir, name).read())
  const stored = (name: string) => storageKeeper(storage, name, () => Promise.resolve(undefined))
  /** Returns true if the file was written. */
  const take = async (name: string, content: string | undefined): Promise<boolean> => {
    const path = join(dataDir, name)
    if (content === undefined || content === (await readIfAny(path))) return false
    await writeFileAtomic(path, content, 0o600)
    return true
  }
  const authorityText = async () => {
    const contents = await Promise.all(authority.map((name) => readIfAny(join(dataDir, name))))
    return contents.includes(undefined) ? undefined : JSON.stringify(contents)
  }
  const takeAuthority = async (text: string | undefined): Promise<boolean> => {
    // Sound: only `shareAuthority` writes it.
    const contents = text === undefined ? [] : (JSON.parse(text) as string[])
    let isTaken = false
    for (const [index, name] of authority.entries())
      isTaken = (await take(name, contents[index])) || isTaken
    return isTaken
  }
  return {
    isShared: true,
    keeper,
    issuer: (url) => stored('token-issuer').replace(undefined, url),
    getAdminKey: async () => {
      await take(adminKey, await stored(adminKey).read())
    },
    getAuthority: async () => {
      await takeAuthority(await stored('pki/ca').read())
    },
    shareAdminKey: async () => {
      const content = await readIfAny(join(dataDir, adminKey))
      const kept = stored(adminKey)
      if (content !== undefined) await kept.replace(await kept.read(), content)
    },
    shareAuthority: async () => {
      const text = await authorityText()
      return text === undefined
        ? false
        : takeAuthority(await stored('pki/ca').replace(undefined, text))
    },
  }
}

/** Files of one server. */
export function localFiles(dataDir: string | undefined): SharedFiles {
  return {
    isShared: false,
    issuer: (url) => Promise.resolve(url),
    keeper: (name) => secretKeeper(dataDir, name),
    getAuthority: () => Promise.resolve(),
    getAdminKey: () => Promise.resolve(),
    shareAdminKey: () => Promise.resolve(),
    shareAuthority: () => Promise.resolve(false),
  }
}
