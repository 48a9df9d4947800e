import { setMaxListeners } from 'node:events'
import { messageOf } from '../../apiserver/meta/messageOf.ts'
import { WorkQueue } from '../../apiserver/runtime/workQueue.ts'
import type { Clock, Random, Timer } from '../../apiserver/meta/clock.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { clientWithin } from '../client/clientWithin.ts'
import { isPlaneError, type PlaneClient } from '../client/planeClient.ts'
import type { SyncConfig, SyncedKindConfig } from '../config/syncConfig.ts'
import type { ExpressionRuntime } from '../expressions/expressionRuntime.ts'
import { markers } from '../names/markers.ts'
import { namingOf } from '../names/naming.ts'
import { endpointsRules } from '../rules/endpointsRules.ts'
import type { KindRules, Translation } from '../rules/kindRules.ts'
import { servicesRules, specOf } from '../rules/servicesRules.ts'
import { EventRecorder } from './eventRecorder.ts'
import type { KindTranslation } from './hostDocument.ts'
import { Informer } from './informer.ts'
import { KindSyncer, type Gate } from './kindSyncer.ts'
import { ensureHostNamespace, namespaceReferences } from './namespaceSync.ts'
import { placeOf, type ObjectCache } from './objectCache.ts'
import { pause } from './pause.ts'
import { ReferenceSync } from './referenceSync.ts'
import { ReferenceWork, type ReferredKind } from './referenceWork.ts'
import { SyncFailure } from './syncFailure.ts'

export interface SyncerOptions {
  /** Name of the virtual cluster. */
  name: string
  /** The host namespace of the virtual cluster. */
  hostNamespace: string
  /** The domain of the names profile, used in markers. */
  domain: string
  config: SyncConfig
  virtual: PlaneClient
  host: PlaneClient
  runtime: ExpressionRuntime
  clock: Clock
  random: Random
  /** Called with every failure; all are retried. */
  report: (error: unknown) => void
  /** See `PatchPlace`. */
  missingExpression: 'keep' | 'drop'
  /** Maximum number of objects handled concurrently. */
  concurrency: number
  /** Kinds referenced by an earlier configuration; default none. */
  leftKinds?: readonly ReferredKind[]
}

/** The kind of references in the queue. */
const referenceKind = 'reference'

/** Time limit for pending writes after a stop, and again for aborting them. */
const graceMs = 10_000

/**
 * Syncs the Services and Endpoints of one virtual cluster to its host under one configuration, from
 * `start` to `stop`. All its state can be recovered: a new syncer resumes where another one left
 * off, however that one ended.
 */
export class Syncer {
  readonly #options: SyncerOptions
  readonly #translation: Translation
  readonly #references: ReferenceSync
  readonly #referenceWork: ReferenceWork
  /** Namespaces for which the references in patches are known. */
  readonly #namespaces = new Set<string>()
  readonly #recorder: EventRecorder
  readonly #queue: WorkQueue
  readonly #kinds = new Map<string, KindSyncer>()
  /** Virtual objects by kind, including kinds that are not synced. */
  readonly #caches = new Map<string, ObjectCache>()
  readonly #informers: Informer[] = []
  readonly #timers = new Map<string, Timer>()
  #isReady = false
  readonly #running = new Set<Promise<void>>()
  readonly #stopped = new AbortController()
  readonly #abandoned = new AbortController()
  #stopping: Promise<void> | undefined

  constructor(given: SyncerOptions) {
    // Every pending call listens to the signal.
    setMaxListeners(0, this.#abandoned.signal)
    const within = (client: PlaneClient) => clientWithin(client, this.#abandoned.signal)
    const options = { ...given, virtual: within(given.virtual), host: within(given.host) }
    this.#options = options
    const { virtual, host, config, clock, domain, concurrency } = options
    this.#translation = {
      naming: namingOf({
        virtualCluster: options.name,
        hostNamespace: options.hostNamespace,
        namespaces: config.namespaces,
      }),
      marks: markers(domain),
    }
    this.#references = new ReferenceSync({
      virtual,
      host,
      config,
      translation: this.#translation,
      syncedKinds: ['Service', 'Endpoints'],
    })
    this.#referenceWork = new ReferenceWork({
      ...options,
      leftKinds: options.leftKinds ?? [],
      references: this.#references,
      naming: this.#translation.naming,
      queue: (key, delayMs = 0) => this.#add(`${referenceKind}/${key}`, delayMs),
    })
    this.#recorder = new EventRecorder({ client: virtual, clock, component: `${domain}-syncer` })
    this.#queue = new WorkQueue({
      clock,
      concurrency,
      work: (key) => this.#work(key),
      report: (error) => {
        // A conflict is normal: another client was first.
        if (!isPlaneError(error, 409)) options.report(error)
      },
    })
    this.#addKind(servicesRules, config.services, () => 'sync')
    this.#addKind(endpointsRules, config.endpoints, (key, object) =>
      this.#endpointsGate(key, object),
    )
  }

  /** Resolves when the first lists are read, or after a stop. */
  async start(): Promise<void> {
    for (const informer of this.#informers) informer.start()
    await Promise.all(this.#informers.map(({ synced }) => synced))
    if (this.#isStopped) return
    this.#isReady = true
    const keys = [...this.#kinds].flatMap(([kind, syncer]) =>
      [...syncer.virtualCache.keys(), ...syncer.copiedKeys()].map((key) => `${kind}/${key}`),
    )
    for (const key of keys) this.#queue.add(key)
    this.#referenceWork.start(keys)
  }

  /** Kinds of objects that are synced because patches refer to them. */
  referredKinds(): readonly ReferredKind[] {
    return this.#referenceWork.kinds()
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted
  }

  /** Ends watches and waits for pending writes, with a time limit; further calls wait for the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    this.#stopped.abort()
    this.#queue.stop()
    for (const timer of this.#timers.values()) timer.cancel()
    const informers = this.#informers.map((informer) => informer.stop())
    const references = this.#referenceWork.stop()
    const all = Promise.allSettled([...informers, references, ...this.#running])
    await this.#withinGrace(all)
    this.#abandoned.abort()
    await this.#withinGrace(all)
  }

  async #withinGrace(ended: Promise<unknown>): Promise<void> {
    const over = new AbortController()
    const end = ended.then(() => over.abort())
    await Promise.race([end, pause(this.#options.clock, graceMs, over.signal)])
  }

  #addKind(rules: KindRules, config: SyncedKindConfig, gate: Gate): void {
    const { virtual, host, clock } = this.#options
    const { kind } = rules.resource
    const queue = (key: string, delayMs = 0) => this.#add(`${kind}/${key}`, delayMs)
    const syncer = new KindSyncer({
      ...{ kind: this.#kindTranslation(rules, config), virtual, host, clock, queue, gate },
      // Endpoints depend on the Service of their name.
      ...(kind === servicesRules.resource.kind && {
        onVirtualChange: (key: string) => this.#add(`${endpointsRules.resource.kind}/${key}`, 0),
      }),
    })
    // Services are cached in any case: they determine the handling of Endpoints.
    if (config.enabled) this.#kinds.set(kind, syncer)
    this.#caches.set(kind, syncer.virtualCache)
    this.#follow(virtual, rules, { cache: syncer.virtualCache, namespace: undefined })
    const hostScope = this.#options.config.namespaces.enabled
      ? undefined
      : this.#options.hostNamespace
    if (config.enabled) this.#follow(host, rules, { cache: syncer.hostCache, namespace: hostScope })
  }

  #follow(
    client: PlaneClient,
    { resource }: KindRules,
    of: { cache: ObjectCache; namespace: string | undefined },
  ): void {
    const { clock, random, report } = this.#options
    this.#informers.push(new Informer({ client, resource, ...of, clock, random, report }))
  }

  #kindTranslation(rules: KindRules, { patches }: SyncedKindConfig): KindTranslation {
    const { config, runtime, missingExpression } = this.#options
    const [translation, references] = [this.#translation, this.#references]
    return { rules, patches, translation, config, runtime, references, missingExpression }
  }

  /** The gate of Endpoints. Source: platform facts 6.9, the gate. */
  #endpointsGate(key: string, host: ApiObject | undefined): ReturnType<Gate> {
    const service = this.#caches.get(servicesRules.resource.kind)?.get(key)
    if (service === undefined) return 'skip'
    const isManaged =
      (host?.metadata.annotations?.[this.#translation.marks.objectName] ?? '') !== ''
    // The host's own controller creates the Endpoints of a Service with a selector.
    if (hasSelector(service)) return host !== undefined && isManaged ? 'remove' : 'skip'
    return host !== undefined && !isManaged ? 'override' : 'sync'
  }

  #add(key: string, delayMs: number): void {
    if (!this.#isReady || this.#isStopped) return
    if (delayMs === 0) {
      this.#queue.add(key)
      return
    }
    this.#timers.get(key)?.cancel()
    const timer = this.#options.clock.setTimer(() => {
      this.#timers.delete(key)
      this.#queue.add(key)
    }, delayMs)
    this.#timers.set(key, timer)
  }

  async #work(queued: string): Promise<void> {
    const slash = queued.indexOf('/')
    const [kind, key] = [queued.slice(0, slash), queued.slice(slash + 1)]
    if (this.#isStopped) return
    const working =
      kind === referenceKind ? this.#referenceWork.work(key) : this.#syncObject(kind, key)
    this.#running.add(working)
    await working.finally(() => this.#running.delete(working))
  }

  async #syncObject(kind: string, key: string): Promise<void> {
    const syncer = this.#kinds.get(kind)
    if (syncer === undefined) return
    try {
      await this.#syncNamespace(syncer, key)
      await syncer.sync(key)
      if (!this.#referenceWork.isNeeded) return
      this.#referenceWork.refer(`${kind}/${key}`, await syncer.references(key))
    } catch (error) {
      await this.#tell(syncer.virtualCache.get(key), error)
      throw isPlaneError(error, 409) ? error : new SyncFailure({ kind, ...placeOf(key) }, error)
    }
  }

  async #syncNamespace(syncer: KindSyncer, key: string): Promise<void> {
    const { config, virtual, host } = this.#options
    if (!config.namespaces.enabled || syncer.virtualCache.get(key) === undefined) return
    const kind = this.#kindTranslation(servicesRules, config.namespaces)
    const { namespace } = placeOf(key)
    await ensureHostNamespace(namespace, { virtual, host }, kind)
    if (this.#namespaces.has(namespace)) return
    const references = await namespaceReferences(namespace, virtual, kind)
    this.#referenceWork.refer(`Namespace/${namespace}`, references)
    this.#namespaces.add(namespace)
  }

  /** Records an Event beside the object, for its owner. */
  async #tell(object: ApiObject | undefined, error: unknown): Promise<void> {
    if (object === undefined || isPlaneError(error, 409) || this.#isStopped) return
    const message = messageOf(error)
    await this.#recorder
      .warn(object, 'SyncError', `Error syncing: ${message}`)
      .catch((failure: unknown) => this.#options.report(failure))
  }
}

function hasSelector(service: ApiObject): boolean {
  const { selector } = specOf(service)
  return selector !== undefined && selector !== null
}
