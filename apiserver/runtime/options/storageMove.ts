/** A migration between storages. */
export interface StorageMove {
  /** `level`, `etcd`, or the file of a backup. */
  from: string
  to: 'level' | 'etcd'
}
