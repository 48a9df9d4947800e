/** Scheduled backups of a server. */
export interface BackupSchedule {
  /** Folder of the backups. Undefined (default): no backups. */
  folder: string | undefined
  /** Time from one backup to the next. Default 24 hours. */
  intervalMs: number
  /** Number of backups to keep; older ones are removed. Default 7. */
  keep: number
}

export const defaultBackup: Readonly<BackupSchedule> = {
  folder: undefined,
  intervalMs: 86_400_000,
  keep: 7,
}
