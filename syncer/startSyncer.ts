import type { Clock, Random } from '../apiserver/meta/clock.ts'
import { openPlane } from './client/openPlane.ts'
import type { PlaneClient } from './client/planeClient.ts'
import type { SyncTarget } from './client/syncTarget.ts'
import { readSyncConfig, type SyncConfig } from './config/syncConfig.ts'
import { checkExpressions } from './expressions/checkExpressions.ts'
import type { ExpressionRuntime } from './expressions/expressionRuntime.ts'
import { SandboxRuntime } from './expressions/sandboxRuntime.ts'
import type { ReferredKind } from './engine/referenceWork.ts'
import { Syncer } from './engine/syncer.ts'

export interface StartSyncerOptions {
  virtual: SyncTarget
  host: SyncTarget
  /** Name of the virtual cluster. */
  name: string
  /** The host namespace of the virtual cluster. */
  hostNamespace: string
  /** The virtual cluster's configuration, decoded but not validated. */
  config: unknown
  /** The domain of the names profile. */
  domain: string
  clock: Clock
  random: Random
  report: (error: unknown) => void
  /**
   * Handling of values without an expression for a direction: 'keep' (default) leaves them unchanged, 'drop' omits
   * them.
   */
  missingExpression?: 'keep' | 'drop'
  /**
   * Evaluates expressions; several syncers may share one. Undefined: the syncer creates its own and closes it at the
   * end.
   */
  runtime?: ExpressionRuntime
  /** Maximum number of objects handled concurrently; default 8. */
  concurrency?: number
}

export interface RunningSyncer {
  /** Resolves when the first lists are read, which waits for unavailable planes, or after a stop. */
  ready(): Promise<void>
  /**
   * Applies another configuration; if it is invalid the previous one stays in effect. Waits only for pending writes.
   * @throws SyncConfigError with one sentence for each error.
   */
  update(config: unknown): Promise<void>
  /**
   * Closes both clients after pending writes, with a time limit. Objects on the planes are kept.
   */
  stop(): Promise<void>
}

/**
 * Syncs a virtual cluster to its host until it is stopped. No request is sent before it resolves.
 * @throws SyncConfigError; Error if a kubeconfig cannot be read.
 */
export async function startSyncer(options: StartSyncerOptions): Promise<RunningSyncer> {
  const { clock } = options
  const runtime = options.runtime ?? new SandboxRuntime({ clock })
  const close = async () => {
    if (options.runtime === undefined) await runtime.close()
  }
  try {
    const config = await readChecked(options.config, runtime)
    const [virtual, host] = await Promise.all([
      openPlane(options.virtual, clock),
      openPlane(options.host, clock),
    ])
    return runSyncer({ ...options, virtual, host, runtime, config, close })
  } catch (error) {
    await close()
    throw error
  }
}

type RunOptions = Omit<StartSyncerOptions, 'virtual' | 'host' | 'config' | 'runtime'> & {
  virtual: PlaneClient
  host: PlaneClient
  runtime: ExpressionRuntime
  config: SyncConfig
  close: () => Promise<void>
}

/** Syncs between open clients. */
function runSyncer(options: RunOptions): RunningSyncer {
  const { virtual, host, runtime, close } = options
  const make = (config: SyncConfig, leftKinds: readonly ReferredKind[] = []) =>
    new Syncer({ missingExpression: 'keep', concurrency: 8, ...options, config, leftKinds })
  let current = make(options.config)
  let ready = current.start()
  let turn: Promise<void> = Promise.resolve()
  let isStopped = false
  /** Sequential, so that two syncers never write at the same time. */
  const next = (change: () => Promise<void>) => (turn = turn.catch(() => undefined).then(change))
  const replaceWith = async (config: SyncConfig) => {
    await current.stop()
    if (isStopped) return
    current = make(config, current.referredKinds())
    ready = current.start()
  }
  const stop = async () => {
    isStopped = true
    await current.stop()
    await turn.catch(() => undefined)
    await current.stop()
    virtual.close()
    host.close()
  }
  return {
    ready: () => ready,
    async update(given) {
      const config = await readChecked(given, runtime)
      await next(() => replaceWith(config))
    },
    async stop() {
      await stop()
      await close()
    },
  }
}

async function readChecked(given: unknown, runtime: ExpressionRuntime): Promise<SyncConfig> {
  const config = readSyncConfig(given)
  await checkExpressions(config, runtime)
  return config
}
