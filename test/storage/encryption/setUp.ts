import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { realRandom } from '../../../apiserver/runtime/realRandom.ts'
import { Encryption } from '../../../apiserver/storage/encryption/encryption.ts'

export const keyed = (provider: string, name: string, byte: number, bytes = 32) => ({
  [provider]: { keys: [{ name, secret: Buffer.alloc(bytes, byte).toString('base64') }] },
})
export const identity = { identity: {} }
export const kms = (name: string, endpoint: string) => ({
  kms: { apiVersion: 'v2', name, endpoint, timeout: '2s' },
})

interface Rule {
  resources: string[]
  providers: object[]
}

/** Writes an EncryptionConfiguration. */
export async function writeRules(path: string, rules: readonly Rule[]): Promise<void> {
  const apiVersion = 'apiserver.config.k8s.io/v1'
  const document = { apiVersion, kind: 'EncryptionConfiguration', resources: rules }
  await writeFile(path, JSON.stringify(document))
}

/** Encryption by these providers for Secrets, from a file in `folder`. */
export async function encryptionOf(
  folder: string,
  providers: object[],
  resources = ['secrets'],
): Promise<Encryption> {
  const path = join(folder, 'encryption.yaml')
  await writeRules(path, [{ resources, providers }])
  return Encryption.open({ path, isReloaded: false, clock: realClock, random: realRandom })
}

/** Files below a folder whose bytes contain a string, by relative path. */
export async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    if ((await readFile(path)).includes(text)) found.push(path.slice(folder.length + 1))
  }
  return found
}
