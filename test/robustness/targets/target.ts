import type { Daemon } from '../machine/daemon.ts'
import type { EtcdCluster } from '../machine/etcdCluster.ts'
import type { Link } from '../machine/link.ts'
import type { Connection } from '../traffic/connection.ts'

/** Server under test. */
export interface Replica {
  daemon: Daemon
  connection: Connection
  /** Links to the members of etcd, in their order. */
  links: readonly Link[]
  /** Moves the clock of the process. Absent: not possible. */
  setClock?: (offsetSeconds: number) => void
}

/** Servers under test, and their storage. */
export interface Target {
  replicas: readonly Replica[]
  /** Etcd; absent: the server stores in files. */
  etcd?: EtcdCluster
  /**
   * Lease whose holder runs the controllers, and a function that finds a replica by its holder.
   * Absent: there is no leader.
   */
  leader?: () => Promise<Replica | undefined>
  stop: () => Promise<void>
  /** Kills it without waiting, at the exit of this process. */
  killNow: () => void
}

/** Options of a target. `folder` is empty. */
export interface TargetOptions {
  folder: string
  /** Path of etcd; undefined: not found. */
  etcd: string | undefined
  replicas: number
}
