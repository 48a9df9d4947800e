import { createHash } from 'node:crypto'
import { encodeYaml } from '../encoding/yaml.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import { StartError } from '../runtime/startError.ts'
import { operatorText, shortPath } from './operatorText.ts'
import { ConfigReader, type ConfigDocument, type ConfigFormat } from './configReader.ts'
import type { ConfigMetadata } from './configMetadata.ts'
import {
  ConfigSecret,
  type ConfigStores,
  type ConfigWrite,
  type StoredConfig,
} from './configSecret.ts'
import { platformSettings, type PlatformSettings } from './platformSettings.ts'
import { maskSecrets } from './secretMask.ts'

export interface PlatformConfigOptions {
  names: NamesProfile
  format: ConfigFormat
  /** Told of a stored configuration that cannot be used, and of listeners that fail. */
  report: (error: unknown) => void
}

/** A configuration given at start. */
export interface ConfigFile {
  path: string
  contents: Buffer
}

/** The configuration as it is shown. */
export interface ConfigView {
  /** The YAML document; empty: none is stored. */
  raw: Buffer
  /** What is in force, defaults included. */
  status: Readonly<Record<string, unknown>>
  /** Undefined: none is stored. */
  stored: Pick<StoredConfig, 'uid' | 'resourceVersion' | 'creationTimestamp'> | undefined
  metadata: ConfigMetadata
}

interface Preview extends Pick<ConfigWrite, 'raw'> {
  metadata: ConfigMetadata
  document: ConfigDocument | undefined
}

interface State {
  stored: StoredConfig | undefined
  written: unknown
  effective: Readonly<Record<string, unknown>>
  settings: PlatformSettings
}

type Listener = (settings: PlatformSettings) => void

/** The platform's configuration: stored, validated, and in force in the moment it is stored, without a restart. */
export class PlatformConfig {
  readonly #options: PlatformConfigOptions
  readonly #reader: ConfigReader
  readonly #listeners = new Set<Listener>()
  #secret: ConfigSecret | undefined
  #state: State
  /** The document that was looked at last, whether it could be used or not. */
  #seen: Buffer | undefined
  /** The adoption of what is stored, one change after the other. */
  #adopted: Promise<void> = Promise.resolve()

  constructor(options: PlatformConfigOptions) {
    this.#options = options
    this.#reader = new ConfigReader(options.format)
    this.#state = this.#stateOf(undefined, { written: {}, effective: this.#reader.defaults })
  }

  /** What is in force now. Before start(): the defaults. */
  current(): PlatformSettings {
    return this.#state.settings
  }

  /** Tells `listener` of every change from now on. Gives the function that ends it. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Reads what is stored, and follows its changes. A file that differs from the one taken over last is stored first.
   *  @throws StartError when the file or what is stored cannot be used. */
  async start(stores: ConfigStores, file?: ConfigFile): Promise<void> {
    const secret = new ConfigSecret(this.#options.names, stores)
    this.#secret = secret
    await secret.follow(() => this.#adoptSoon())
    if (file !== undefined) await this.#takeOver(secret, file)
    await this.#adopted
    const stored = secret.read()
    if (stored === undefined || this.#seen?.equals(stored.raw) === true) return
    const document = await this.#reader.read(stored.raw)
    if (!document.isUsable) {
      throw new StartError(`${foundIn(document)}; give a right one with --platform-config`)
    }
    this.#adoptUsable(stored, document)
  }

  /** Puts a stored document into effect, and tells the operator what newer rules refuse in it. */
  #adoptUsable(stored: StoredConfig, document: ConfigDocument): void {
    this.#adopt(stored, document)
    if (document.errors.length === 0) return
    this.#options.report(new Error(`${foundIn(document)}; it is used all the same`))
  }

  /** @param withSecrets false: every secret is masked, in the document too. */
  view(withSecrets: boolean): ConfigView {
    const { stored } = this.#state
    const { raw, metadata } = stored ?? { raw: empty, metadata: {} }
    return this.preview({ raw, metadata, document: undefined }, withSecrets)
  }

  /** The same for what is not stored. `document`: undefined for the one in force. */
  preview({ raw, metadata, document }: Preview, withSecrets: boolean): ConfigView {
    const understood = document ?? this.#state
    const { stored } = this.#state
    const shown = withSecrets ? { raw, status: understood.effective } : this.#masked(understood)
    return { ...shown, stored, metadata }
  }

  /** What a document means, and what is wrong with it. */
  check(raw: Buffer): Promise<ConfigDocument> {
    return this.#reader.read(raw)
  }

  /** Stores a document that was checked; resolves when it is in force. @throws StatusError Conflict. */
  async set(write: ConfigWrite): Promise<void> {
    if (this.#secret === undefined) throw new Error('the configuration is set before its start')
    await this.#secret.write(write)
    await this.#adopted
  }

  async #takeOver(secret: ConfigSecret, { path, contents: raw }: ConfigFile): Promise<void> {
    const fileDigest = createHash('sha256').update(raw).digest('hex')
    if (secret.read()?.fileDigest === fileDigest) return
    const { errors, unknownFields } = await this.#reader.read(raw)
    if (errors.length > 0)
      throw new StartError(`the platform configuration ${path} ${operatorText(errors)}`)
    if (unknownFields.length > 0) {
      const fields = unknownFields.map(shortPath).join(', ')
      throw new StartError(`the platform configuration ${path} has unknown settings: ${fields}`)
    }
    await secret.write({ raw, fileDigest })
  }

  #adoptSoon(): void {
    this.#adopted = this.#adopted.then(() => this.#adoptStored()).catch(this.#options.report)
  }

  async #adoptStored(): Promise<void> {
    const stored = this.#secret?.read()
    if (stored === undefined) {
      this.#adopt(undefined, { written: {}, effective: this.#reader.defaults })
      return
    }
    const isSeen = this.#seen !== undefined && stored.raw.equals(this.#seen)
    const document = isSeen ? undefined : await this.#reader.read(stored.raw)
    this.#seen = stored.raw
    if (document?.isUsable === true) return this.#adoptUsable(stored, document)
    // What is in force stays, under the revision that a writer has to name.
    const raw = this.#state.stored?.raw ?? empty
    this.#state = { ...this.#state, stored: { ...stored, raw } }
    if (document !== undefined) {
      throw new Error(
        `the stored platform configuration is not used: it ${operatorText(document.errors)}`,
      )
    }
  }

  #adopt(stored: StoredConfig | undefined, document: Understood): void {
    this.#seen = stored?.raw
    this.#state = this.#stateOf(stored, document)
    for (const listener of this.#listeners) {
      try {
        listener(this.#state.settings)
      } catch (error) {
        this.#options.report(error)
      }
    }
  }

  #stateOf(stored: StoredConfig | undefined, { written, effective }: Understood): State {
    const settings = platformSettings(effective, this.#options.names)
    return { stored, written, effective, settings }
  }

  #masked({ written, effective }: Understood): Pick<ConfigView, 'raw' | 'status'> {
    const { schema } = this.#options.format
    return {
      raw: Buffer.from(encodeYaml(maskSecrets(written, schema))),
      // The mask keeps a map of settings one.
      status: maskSecrets(effective, schema) as Readonly<Record<string, unknown>>,
    }
  }
}

type Understood = Pick<ConfigDocument, 'written' | 'effective'>

const empty = Buffer.alloc(0)

function foundIn({ errors }: ConfigDocument): string {
  return `the stored platform configuration ${operatorText(errors)}`
}
