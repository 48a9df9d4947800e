import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { lazyMetric, type ComputedMetric, type Line } from './metricsLines.ts'

export interface ProcessSources {
  /** Labels of the build: versions by name. */
  build: Readonly<Record<string, string>>
  /** Folder of objects and certificates; undefined: nothing is stored on disk. */
  dataDir: string | undefined
  /** End of the serving certificate's validity, milliseconds since the epoch; undefined: not served yet. */
  certificateEnds: () => number | undefined
}

/** Metrics of the build, the disk and the certificate. Disk usage is read at each scrape. */
export function processMetrics(sources: ProcessSources): ComputedMetric[] {
  const { build, dataDir, certificateEnds } = sources
  const gauge = (name: string, help: string, lines: () => Line[] | Promise<Line[]>) =>
    lazyMetric({ name, help, type: 'gauge' }, lines)
  return [
    gauge('platform_build_info', 'Always 1; versions of the server are in its labels.', () => [
      { labels: build, value: 1 },
    ]),
    gauge('platform_database_bytes', 'Size of the files of the database in bytes, by kind.', () =>
      dataDir === undefined ? [] : databaseLines(join(dataDir, 'db')),
    ),
    gauge('platform_data_folder_free_bytes', 'Space left for the data folder in bytes.', () =>
      dataDir === undefined ? [] : freeLines(dataDir),
    ),
    gauge(
      'platform_serving_certificate_expiration_timestamp_seconds',
      'End of the serving certificate, in seconds since 1970.',
      () => linesOf(seconds(certificateEnds())),
    ),
  ]
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000
}

function linesOf(value: number | undefined): Line[] {
  return value === undefined ? [] : [{ labels: {}, value }]
}

/** Sizes of LevelDB's tables, its log of writes that are not in a table yet, and its other files. */
async function databaseLines(folder: string): Promise<Line[]> {
  const sizes = { tables: 0, log: 0, other: 0 }
  for (const name of await readdir(folder).catch(() => [])) {
    // A file that was compacted away meanwhile has no size.
    const { size } = await stat(join(folder, name)).catch(() => ({ size: 0 }))
    if (/\.(ldb|sst)$/.test(name)) sizes.tables += size
    else if (name.endsWith('.log')) sizes.log += size
    else sizes.other += size
  }
  return Object.entries(sizes).map(([kind, value]) => ({ labels: { kind }, value }))
}

async function freeLines(folder: string): Promise<Line[]> {
  const found = await statfs(folder).catch(() => undefined)
  return linesOf(found && found.bavail * found.bsize)
}
