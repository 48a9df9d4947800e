/** The path of the etcd of a folder that tells where the data is. A real etcd does not serve it. */
export const dataPath = '/platform-apiserver/data'

/** The response, as JSON. */
export interface DataAnswer {
  /** Absolute path. */
  dataDir: string
  /** True if a write waits until it is on disk. */
  syncsWrites: boolean
}
