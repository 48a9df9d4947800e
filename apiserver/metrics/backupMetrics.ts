import { computedCounter, computedMetric, type ComputedMetric, type Line } from './metricsLines.ts'

/** Results of scheduled backups. */
export interface BackupSource {
  /** Milliseconds since the epoch; undefined: none yet, as on servers that do not lead. */
  readonly lastSuccessMs: number | undefined
  /** Size of the last backup; undefined: this process has not created any. */
  readonly lastBytes: number | undefined
  readonly failures: number
}

export function backupMetrics(source: BackupSource): ComputedMetric[] {
  const gauge = (name: string, help: string, value: () => number | undefined) =>
    computedMetric({ name, help, type: 'gauge' }, () => lineOf(value()))
  return [
    gauge(
      'platform_backup_last_success_timestamp_seconds',
      'Time of the newest scheduled backup, in seconds since 1970; only on the server that makes them.',
      () => source.lastSuccessMs && source.lastSuccessMs / 1000,
    ),
    gauge(
      'platform_backup_last_size_bytes',
      'Size of the newest scheduled backup of this process in bytes.',
      () => source.lastBytes,
    ),
    computedCounter(
      'platform_backup_failures_total',
      'Scheduled backups that failed.',
      () => source.failures,
    ),
  ]
}

function lineOf(value: number | undefined): Line[] {
  return value === undefined ? [] : [{ labels: {}, value }]
}
