import { AuditLog } from '../../audit/auditLog.ts'
import { serveRequest, type EntryOptions } from '../../endpoints/entry.ts'
import { certificateAhead, openListeners, type Listeners } from '../../http/openListeners.ts'
import { publishTrust } from '../../platform/authenticationConfigObject.ts'
import { openDelegation, type Delegation } from '../../platform/openDelegation.ts'
import { guardedClock } from '../../runtime/guardedClock.ts'
import { ClusterApi } from './clusterApi.ts'
import type { ClusterServerOptions } from './clusterServerOptions.ts'
import { servingFiles } from './servingFiles.ts'
import { createTrackingObject } from './trackingObject.ts'

/** The server of one cluster: its API at the root, with the flags and the users of kube-apiserver. */
export class ClusterServer {
  readonly #given: ClusterServerOptions
  #delegation: Delegation | undefined
  #audit: AuditLog | undefined
  #api: ClusterApi | undefined
  #listeners: Listeners | undefined
  #isStopping = false

  constructor(given: ClusterServerOptions) {
    this.#given = given
  }

  /**
   * Opens the address, then the API. Requests in between wait, so that a polling client gets its response as soon as
   * the API is complete. Returns the base URL.
   * @throws StartError, StorageError; the system's error if the address is unavailable.
   */
  async start(): Promise<string> {
    const { options, settings, audit, clock, random, log } = this.#given
    const report = (err: unknown) => log.error({ err }, 'internal error')
    const [delegation, own] = await Promise.all([
      openDelegation({ options, clock, random, log }),
      servingFiles(settings.certDir, options, { clock, random }),
    ])
    this.#delegation = delegation
    this.#audit = new AuditLog({ settings: audit, clock, names: options.names, report })
    const api = new ClusterApi({
      ...{ given: this.#given, delegation, audit: this.#audit, report },
      clock: guardedClock(clock, report),
      isStopping: () => this.#isStopping,
      handshakeErrors: () => this.#listeners?.handshakeErrors() ?? 0,
    })
    this.#api = api
    const entry = api.open(own)
    entry.catch(() => undefined) // awaited below
    const listeners = await this.#listen(entry, own, delegation)
    this.#listeners = listeners
    await entry
    const configMaps = api.configMaps()
    await Promise.all([
      publishTrust({ configMaps, delegation, listeners, report }),
      createTrackingObject(configMaps, clock),
    ])
    api.isComplete = true
    return listeners.url
  }

  /** Refuses new requests, ends watches, lets other requests end, closes the storage. A second call does nothing. */
  async stop(): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#api?.close()
    this.#delegation?.stop()
    await this.#listeners?.close(this.#given.options.shutdownGraceSeconds * 1000)
    await this.#audit?.close()
    await this.#api?.closeStorage()
  }

  #listen(
    entry: Promise<EntryOptions>,
    own: Awaited<ReturnType<typeof servingFiles>>,
    delegation: Delegation,
  ): Promise<Listeners> {
    const { options, clock, random, log } = this.#given
    let opened: EntryOptions | undefined
    void entry.then((options) => (opened = options)).catch(() => undefined) // start() throws it
    return openListeners({
      ...{ options, clock, log },
      certificate: certificateAhead({ directory: undefined, hosts: [], own, clock, random }),
      clientCas: () => delegation.clientCas(),
      serve: async (request, response, openWebSocket, takeSocket) => {
        opened ??= await entry
        return serveRequest(request, response, opened, { openWebSocket, takeSocket })
      },
    })
  }
}
