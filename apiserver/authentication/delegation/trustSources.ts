import { messageOf } from '../../meta/messageOf.ts'
import { CertificateBundle } from '../certificates/certificateBundle.ts'
import type { ClientTrust } from '../certificates/connectionUsers.ts'
import type { DelegationOptions } from '../../runtime/options/delegationOptions.ts'
import type { Clock, Random } from '../../meta/clock.ts'
import { StartError } from '../../runtime/startError.ts'
import {
  authenticationConfigMap,
  clientsOf,
  frontProxyOf,
  frontProxyTrust,
} from './authenticationConfigMap.ts'
import type { DelegateClient } from './delegateClient.ts'
import { FollowedConfigMap, type ConfigMapData } from './followConfigMap.ts'
import { TrustedFile } from './trustedFile.ts'

export interface TrustSourcesOptions {
  options: DelegationOptions
  /** Client of the server that reviews tokens; undefined: none. */
  client: Pick<DelegateClient, 'call' | 'stream' | 'closed'> | undefined
  clock: Clock
  random: Random
  /** Called after each change. */
  changed: () => void
  /** Called if a source cannot be read; the last state stays in effect. */
  failed: (error: unknown) => void
}

/**
 * Trusted CAs for client certificates: from files and, where no file is set, from the config map of
 * the server that reviews tokens. Source: reference 9.3.
 */
export class TrustSources {
  readonly #options: TrustSourcesOptions
  readonly #files: TrustedFile[] = []
  #trust: ClientTrust = { clients: undefined, frontProxy: undefined }

  constructor(options: TrustSourcesOptions) {
    this.#options = options
  }

  /** The trusted CAs; every change creates a new object. */
  get trust(): ClientTrust {
    return this.#trust
  }

  /**
   * Reads all sources and follows changes. @throws StartError if a file cannot be read, or the
   * config map unless that is tolerated.
   */
  async start(): Promise<void> {
    const { clientCaFile, requestheaderClientCaFile: proxyCaFile } = this.#options.options
    const { authenticationSkipLookup } = this.#options.options
    if (clientCaFile !== undefined) {
      await this.#file(clientCaFile, (pem) => this.#set({ clients: new CertificateBundle(pem) }))
    }
    if (proxyCaFile !== undefined) {
      await this.#file(proxyCaFile, (pem) => this.#set({ frontProxy: this.#ownFrontProxy(pem) }))
    }
    const isComplete = clientCaFile !== undefined && proxyCaFile !== undefined
    if (!isComplete && !authenticationSkipLookup) await this.#lookUp()
  }

  stop(): void {
    for (const file of this.#files) file.stop()
  }

  async #file(path: string, changed: (pem: string) => void): Promise<void> {
    const { clock, failed } = this.#options
    const file = new TrustedFile({ path, clock, changed, failed })
    this.#files.push(file)
    await file.start()
  }

  #ownFrontProxy(pem: string) {
    const { options } = this.#options
    return frontProxyTrust(pem, {
      allowedNames: options.requestheaderAllowedNames,
      headers: {
        username: options.requestheaderUsernameHeaders,
        uid: options.requestheaderUidHeaders,
        group: options.requestheaderGroupHeaders,
        extraPrefix: options.requestheaderExtraHeadersPrefix,
      },
    })
  }

  async #lookUp(): Promise<void> {
    const { client, clock, random, failed, options } = this.#options
    if (client === undefined) return
    const changed = (data: ConfigMapData) => this.#take(data)
    const common = { client, clock, random, changed, failed }
    const map = new FollowedConfigMap({ ...authenticationConfigMap, ...common })
    try {
      await map.read()
    } catch (error) {
      const why = messageOf(error)
      const what = `unable to load configmap based request-header-client-ca-file: ${why}`
      if (!options.authenticationTolerateLookupFailure) throw new StartError(what, error)
      failed(new Error(what, { cause: error }))
    }
    void map.follow().catch(failed)
  }

  /**
   * Applies the config map, except for CAs that have a file. If a key cannot be read, its last
   * value stays in effect.
   */
  #take(data: ConfigMapData): void {
    const { clientCaFile, requestheaderClientCaFile: proxyCaFile } = this.#options.options
    try {
      const clients = clientsOf(data)
      if (clientCaFile === undefined && clients !== undefined) this.#set({ clients })
      const frontProxy = frontProxyOf(data)
      if (proxyCaFile === undefined && frontProxy !== undefined) this.#set({ frontProxy })
    } catch (error) {
      this.#options.failed(error)
    }
  }

  #set(part: Partial<ClientTrust>): void {
    this.#trust = { ...this.#trust, ...part }
    this.#options.changed()
  }
}
