import type { Database, DiskWrite } from '../../../apiserver/storage/level/format/database.ts'

/** A real database between which faults are put. */
export interface Faults {
  /** The next write is refused with this message: `lost` before it reaches the disk, `kept` after it is durable. */
  refuse?: { message: string; fate: 'lost' | 'kept' } | undefined
  /** Opening again fails with this message. */
  reopen?: string | undefined
  /** Writes wait for this before they begin. */
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
