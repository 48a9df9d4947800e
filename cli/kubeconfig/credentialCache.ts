import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call } from '../base/commandSpec.ts'
import { readIfAny, underLock, writePrivate } from '../base/privateFile.ts'
import { cacheFolder } from '../context/folders.ts'

/** Status of an ExecCredential. */
export interface Credential {
  token?: string
  clientCertificateData?: string
  clientKeyData?: string
}

/** Credential with its times in milliseconds. */
export interface Issued {
  credential: Credential
  /** Time of issue. */
  since: number
  /** Expiry. */
  until: number
}

interface Kept extends Issued {
  /** Process that last received it. */
  givenTo?: number
}

/** Fraction of a credential's lifetime after which a new one is issued. */
const usablePart = 0.8

/** Time until which a credential is handed out. Some of its lifetime remains for long requests. */
export function refreshTime({ since, until }: Issued): number {
  return since + (until - since) * usablePart
}

/** Credentials issued by the platform, kept until shortly before they expire, readable only by their owner. */
export class CredentialCache {
  readonly #folder: string

  constructor(place: Pick<Call, 'program' | 'env'>, context: string) {
    this.#folder = join(cacheFolder(place), 'credentials', digest(context))
  }

  /**
   * Credential of a key, issued if there is none. Other processes that ask meanwhile wait and get
   * the same one. A process that asks again must have been refused with it, and gets a new one.
   * @param key everything that the credential depends on.
   */
  async get(key: string, asker: number, issue: () => Promise<Issued>): Promise<Issued> {
    const file = join(this.#folder, `${digest(key)}.json`)
    return underLock(file, async () => {
      const kept = await this.#read(file)
      const isUsable =
        kept !== undefined && Date.now() < refreshTime(kept) && kept.givenTo !== asker
      const issued = isUsable ? kept : await issue()
      await writePrivate(file, JSON.stringify({ ...issued, givenTo: asker }))
      return issued
    })
  }

  /** Removes all credentials of the context. */
  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #read(file: string): Promise<Kept | undefined> {
    const text = await readIfAny(file)
    try {
      // Sound as far as this program wrote it; anything else is issued again.
      return text === undefined ? undefined : (JSON.parse(text) as Kept)
    } catch {
      return undefined
    }
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
