import type { Database, DiskWrite } from '../../../apiserver/storage/level/format/database.ts'

/** Real database with injected faults. */
export interface Faults {
  /**
   * Message with which the next write fails: `lost` before it reaches the disk, `kept` after it is
   * durable.
   */
  refuse?: { message: string; fate: 'lost' | 'kept' } | undefined
  /** Message with which opening again fails. */
  reopen?: string | undefined
  /** Promise that writes wait for before they start. */
  gate?: Promise<void> | undefined
}

export function withFaults(database: Database, faults: Faults): Database {
  return {
    ...database,
    write: async (writes: readonly DiskWrite[]) => {
      await faults.gate
      const refuse = faults.refuse
      faults.refuse = undefined
      if (refuse?.fate !== 'lost') await database.write(writes)
      if (refuse !== undefined) throw new Error(refuse.message)
    },
    reopen: async () => {
      if (faults.reopen !== undefined) throw new Error(faults.reopen)
      await database.reopen()
    },
  }
}
