import type { Daemon } from '../machine/daemon.ts'
import type { EtcdCluster } from '../machine/etcdCluster.ts'
import type { Link } from '../machine/link.ts'
import type { Connection } from '../traffic/connection.ts'

/** Server under test. */
export interface Replica {
  daemon: Daemon
  connection: Connection
  /** Ways to the members of etcd, in their order. */
  links: readonly Link[]
  /** Moves the clock that the process sees. Absent: there is no way. */
  setClock?: (offsetSeconds: number) => void
}

/** Servers under test, and their storage. */
export interface Target {
  replicas: readonly Replica[]
  /** Absent: the server stores in files of its own. */
  etcd?: EtcdCluster
  /** Lease whose holder runs the controllers, and how a replica is found by its holder. Absent: there is no leader. */
  leader?: () => Promise<Replica | undefined>
  stop: () => Promise<void>
  /** Without waiting: while this process ends. */
  killNow: () => void
}

/** Options of a target. `folder` is empty. */
export interface TargetOptions {
  folder: string
  /** etcd; undefined: none was found. */
  etcd: string | undefined
  replicas: number
}
