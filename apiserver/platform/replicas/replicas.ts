import type { Logger } from '../../runtime/logging.ts'
import type { ServerOptions } from '../../runtime/options/serverOptions.ts'
import type { Clock, Random } from '../../meta/clock.ts'
import type { Store } from '../../registry/store.ts'
import { alwaysLeading, type Leadership } from '../../runtime/leadership.ts'
import type { Storage } from '../../storage/storage.ts'
import { LeaseElection } from './leaseElection.ts'
import { LedParts } from './ledParts.ts'
import { ReplicaRecords } from './replicaRecords.ts'

/** Servers that share a storage, from the perspective of one of them. */
export interface Replicas {
  leadership: Leadership
  /** Resolves when every live server serves the writes up to a revision; undefined: there are no other servers. */
  reached(revision: number): Promise<void> | undefined
  /** Joins the other servers. Resolves when this server or another one leads. */
  start(leases: () => Store): Promise<void>
  /**
   * Stops the controllers of this server at once, then lets another server lead. Must be called before the storage is
   * closed.
   */
  leave(): Promise<void>
}

export interface ReplicasOptions {
  storage: Storage
  clock: Clock
  random: Random
  log: Logger
  options: Pick<ServerOptions, 'names'>
  report: (error: unknown) => void
}

const namespace = 'kube-system'

export function openReplicas(options: ReplicasOptions): Replicas {
  return options.storage.isShared ? sharingReplicas(options) : onlyReplica
}

/** The implementation for a single server. */
export const onlyReplica: Replicas = {
  leadership: alwaysLeading,
  reached: () => undefined,
  start: () => Promise.resolve(),
  leave: () => Promise.resolve(),
}

function sharingReplicas(options: ReplicasOptions): Replicas {
  const leadership = new LedParts(options.report)
  const identity = options.random.uuid()
  const { domain } = options.options.names
  options.log.info({ identity }, 'replica of a shared storage')
  let records: ReplicaRecords | undefined
  let election: LeaseElection | undefined
  return {
    leadership,
    reached: (revision) => records?.reached(revision),
    start: async (storeOfLeases) => {
      const leases = storeOfLeases()
      const common = { ...options, leases, namespace, identity, domain }
      records = new ReplicaRecords({ ...common, isLeading: () => leadership.isLeading })
      election = new LeaseElection({
        ...common,
        name: 'platform-controllers',
        onLeading: () => leadership.begin(),
        onLost: () => leadership.end(),
      })
      await records.start()
      await election.start()
    },
    leave: async () => {
      election?.stop()
      records?.stop()
      await Promise.all([election?.release(), records?.remove()])
    },
  }
}
