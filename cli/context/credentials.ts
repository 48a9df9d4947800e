import { join } from 'node:path'
import type { Call } from '../base/commandSpec.ts'
import { readIfAny, underLock, writePrivate } from '../base/privateFile.ts'
import { variable } from '../base/program.ts'
import { settingsFolder } from './folders.ts'
import { systemKeychain, type Keychain } from './keychain.ts'
import type { ServerContext } from './settings.ts'

type Place = Pick<Call, 'program' | 'env'>

/** Access keys by context: in the system's keychain, otherwise in a file that only its owner may read. */
export class Credentials {
  readonly #file: string
  readonly #keychain: Keychain | undefined

  constructor(place: Place) {
    this.#file = join(settingsFolder(place), 'credentials.json')
    // Contexts of other folders of settings have credentials of their own.
    const home = variable(place.program, place.env, 'HOME')
    const service = home === undefined ? place.program.name : `${place.program.name} ${home}`
    this.#keychain = systemKeychain(service, place.env)
  }

  /** The access key of a context; undefined: there is none. */
  async get(context: string, place: ServerContext['credential']): Promise<string | undefined> {
    return place === 'keychain' ? this.#keychain?.get(context) : (await this.#read())[context]
  }

  /** Stores an access key. @returns the place that it is in. */
  async set(context: string, accessKey: string): Promise<ServerContext['credential']> {
    if ((await this.#keychain?.set(context, accessKey)) === true) {
      await this.#change((keys) => delete keys[context])
      return 'keychain'
    }
    await this.#change((keys) => (keys[context] = accessKey))
    return 'file'
  }

  /** Removes an access key from every place. */
  async delete(context: string): Promise<void> {
    await this.#keychain?.delete(context)
    await this.#change((keys) => delete keys[context])
  }

  async #read(): Promise<Record<string, string>> {
    const text = await readIfAny(this.#file)
    // Sound as far as this program wrote it.
    return text === undefined ? {} : (JSON.parse(text) as Record<string, string>)
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
