/** Path of the etcd substitute that returns the location of the data. A real etcd does not serve it. */
export const dataPath = '/platform-apiserver/data'

/** JSON response at the path. */
export interface DataAnswer {
  /** Absolute path. */
  dataDir: string
  /** True if a write waits until it is on disk. */
  syncsWrites: boolean
}
