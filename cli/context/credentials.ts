import { join } from 'node:path'
import { CliError, exitCodes, usageError } from '../base/cliError.ts'
import type { Call } from '../base/commandSpec.ts'
import { readPrivate, underLock, writePrivate } from '../base/privateFile.ts'
import { variable } from '../base/program.ts'
import { settingsFolder } from './folders.ts'
import { keychainsOf, type Keychains } from './keychain.ts'
import type { CredentialPlace } from './settings.ts'

type Place = Pick<Call, 'program' | 'env' | 'terminal'>

const places = ['keychain', 'pass', 'file'] as const

/**
 * Access keys by context: in the system's keychain, otherwise in the password store of pass(1), otherwise in a file
 * that only its owner may read. `<NAME>_KEYCHAIN` selects one of these places.
 */
export class Credentials {
  readonly #file: string
  readonly #keychains: Keychains
  readonly #wanted: readonly CredentialPlace[]
  readonly #warn: (text: string) => void

  constructor(place: Place) {
    const { program, env, terminal } = place
    this.#file = join(settingsFolder(place), 'credentials.json')
    this.#warn = (text) => terminal.err(`Warning: ${text}`)
    // Contexts in other settings folders have their own credentials.
    const home = variable(program, env, 'HOME')
    this.#keychains = keychainsOf(
      home === undefined ? program.name : `${program.name} ${home}`,
      env,
    )
    const wanted = variable(program, env, 'KEYCHAIN')
    this.#wanted = places.filter((each) => wanted === undefined || each === wanted)
    if (this.#wanted.length === 0)
      throw usageError(
        `there is no keychain "${wanted}"`,
        `Set ${program.name.toUpperCase()}_KEYCHAIN to one of ${places.join(', ')}.`,
      )
  }

  /** Access key of a context; undefined: none. @throws CliError if its keychain cannot be reached. */
  async get(context: string, place: CredentialPlace): Promise<string | undefined> {
    if (place === 'file') return (await this.#read())[context]
    const keychain = this.#keychains[place]
    if (keychain !== undefined) return keychain.get(context)
    throw new CliError(`the access key of "${context}" is in a keychain that cannot be reached`, {
      code: exitCodes.unauthenticated,
      hint: 'Run the command in your desktop session, or log in again with "$program login".',
    })
  }

  /** Stores an access key. @returns where it was stored. */
  async set(context: string, accessKey: string): Promise<CredentialPlace> {
    for (const place of this.#wanted) {
      if (place === 'file') break
      if ((await this.#keychains[place]?.set(context, accessKey)) !== true) continue
      await this.#change((keys) => delete keys[context])
      return place
    }
    if (!this.#wanted.includes('file'))
      throw new CliError('the access key cannot be stored in the keychain that was asked for')
    await this.#change((keys) => (keys[context] = accessKey))
    return 'file'
  }

  /** Removes an access key from every place. */
  async delete(context: string): Promise<void> {
    await this.#keychains.keychain?.delete(context)
    await this.#keychains.pass?.delete(context)
    await this.#change((keys) => delete keys[context])
  }

  async #read(): Promise<Record<string, string>> {
    const { text, wasReadable } = await readPrivate(this.#file)
    if (wasReadable)
      this.#warn(
        `other users could read ${this.#file} until now; replace the key: rotate accesskey`,
      )
    if (text === undefined) return {}
    try {
      // Sound as far as this program wrote it.
      return JSON.parse(text) as Record<string, string>
    } catch (cause) {
      const hint = 'Delete it, and log in again.'
      throw new CliError(`${this.#file} is not valid JSON`, { cause, hint })
    }
  }

  async #change(change: (keys: Record<string, string>) => void): Promise<void> {
    await underLock(this.#file, async () => {
      const before = await this.#read()
      const keys = { ...before }
      change(keys)
      if (JSON.stringify(keys) === JSON.stringify(before)) return
      await writePrivate(this.#file, `${JSON.stringify(keys, null, 2)}\n`)
    })
  }
}
