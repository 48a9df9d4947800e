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
  /** Called with errors of an unusable stored configuration and of listeners. */
  report: (error: unknown) => void
}

/** A configuration file given at start. */
export interface ConfigFile {
  path: string
  contents: Buffer
}

/** The configuration as shown to clients. */
export interface ConfigView {
  /** The YAML document; empty: none is stored. */
  raw: Buffer
  /** The configuration in effect, including defaults. */
  status: Readonly<Record<string, unknown>>
  /** Stored document; undefined: none. */
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

/** The platform's configuration: stored, validated, and in effect as soon as it is stored, without a restart. */
export class PlatformConfig {
  readonly #options: PlatformConfigOptions
  readonly #reader: ConfigReader
  readonly #listeners = new Set<Listener>()
  #secret: ConfigSecret | undefined
  #state: State
  /** The document that was examined last, usable or not. */
  #seen: Buffer | undefined
  /** Pending adoptions of stored documents, in sequence. */
  #adopted: Promise<void> = Promise.resolve()

  constructor(options: PlatformConfigOptions) {
    this.#options = options
    this.#reader = new ConfigReader(options.format)
    this.#state = this.#stateOf(undefined, { written: {}, effective: this.#reader.defaults })
  }

  /** The configuration in effect. Before start(): the defaults. */
  current(): PlatformSettings {
    return this.#state.settings
  }

  /** Calls `listener` for every later change. Returns a function that unsubscribes. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Reads the stored configuration and follows its changes. A file that differs from the last applied one is stored
   * first.
   * @throws StartError if the file or the stored configuration is unusable.
   */
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
      throw new StartError(`${foundIn(document)}; set a valid one with --platform-config`)
    }
    this.#adoptUsable(stored, document)
  }

  /** Puts a stored document into effect, and reports violations of newer rules to the operator. */
  #adoptUsable(stored: StoredConfig, document: ConfigDocument): void {
    this.#adopt(stored, document)
    if (document.errors.length === 0) return
    this.#options.report(new Error(`${foundIn(document)}; it stays in effect`))
  }

  /** The stored configuration. @param withSecrets false: every secret is masked, including those in the document. */
  view(withSecrets: boolean): ConfigView {
    const { stored } = this.#state
    const { raw, metadata } = stored ?? { raw: empty, metadata: {} }
    return this.preview({ raw, metadata, document: undefined }, withSecrets)
  }

  /** The view of a document that is not stored. `document`: undefined for the one in effect. */
  preview({ raw, metadata, document }: Preview, withSecrets: boolean): ConfigView {
    const understood = document ?? this.#state
    const { stored } = this.#state
    const shown = withSecrets ? { raw, status: understood.effective } : this.#masked(understood)
    return { ...shown, stored, metadata }
  }

  /** Reads and validates a document. */
  check(raw: Buffer): Promise<ConfigDocument> {
    return this.#reader.read(raw)
  }

  /** Stores a validated document; resolves when it is in effect. @throws StatusError Conflict. */
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
    // The effective configuration is kept, with the revision that a writer has to specify.
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
      // Sound: masking keeps a map a map.
      status: maskSecrets(effective, schema) as Readonly<Record<string, unknown>>,
    }
  }
}

type Understood = Pick<ConfigDocument, 'written' | 'effective'>

const empty = Buffer.alloc(0)

function foundIn({ errors }: ConfigDocument): string {
  return `the stored platform configuration ${operatorText(errors)}`
}
