import { defaultServerOptions } from '../../runtime/options/serverOptions.ts'
import { readFlags, type GivenValues } from './commandLine.ts'
import type { Environment } from './config.ts'
import { setting, type Setting } from './setting.ts'
import { UsageError } from './usageError.ts'
import { filePath, folderPath } from './valueKinds.ts'

const backupCommands = ['backup', 'restore', 'verify'] as const
export type BackupCommand = (typeof backupCommands)[number]

/** Options of `platform-apiserver backup`, `restore` and `verify`. */
export interface BackupOptions {
  dataDir: string
  /** The file to create; present for `backup`. */
  out?: string
  /** The file to read; present for `restore`. */
  from?: string
  /** Kubeconfig of a running server; absent: the data folder. */
  kubeconfig?: string
}

interface Row extends Setting<BackupOptions> {
  usedBy: readonly BackupCommand[]
}

const out = setting('out', {
  kind: filePath,
  description: 'backup: the file to create. An existing file is not replaced.',
  assign: (options: BackupOptions, value) => void (options.out = value),
})

const from = setting('from', {
  kind: filePath,
  description: 'restore and verify: the backup to read. verify without it: the data folder.',
  assign: (options: BackupOptions, value) => void (options.from = value),
})

const dataDir = setting('dataDir', {
  kind: folderPath,
  default: defaultServerOptions.dataDir,
  description:
    'Data folder of a stopped server. restore: the folder to create; an existing folder must be empty.',
  assign: (options: BackupOptions, value) => void (options.dataDir = value),
})

const kubeconfig = setting('kubeconfig', {
  kind: filePath,
  description:
    'backup: kubeconfig of a running server, whose user may do everything. Keys and certificates of its data folder are ' +
    'not part of the backup then.',
  assign: (options: BackupOptions, value) => void (options.kubeconfig = value),
})

const rows: readonly Row[] = [
  { ...out, usedBy: ['backup'], env: 'PLATFORM_BACKUP_OUT' },
  { ...from, usedBy: ['restore', 'verify'], env: 'PLATFORM_BACKUP_FROM' },
  { ...dataDir, usedBy: backupCommands },
  { ...kubeconfig, usedBy: ['backup'], env: 'PLATFORM_BACKUP_KUBECONFIG' },
]

/** The settings of one command. */
export function backupSettingsOf(command: BackupCommand): readonly Setting<BackupOptions>[] {
  return rows.filter(({ usedBy }) => usedBy.includes(command))
}

/** Every setting of the three commands, in the order of the help. */
export const backupSettings: readonly Setting<BackupOptions>[] = rows.map((row) => ({
  ...row,
  inFile: false,
}))

/**
 * Options from flags and environment, in that order of precedence.
 * @throws UsageError with a sentence for each problem.
 */
export function readBackupOptions(
  command: BackupCommand,
  args: readonly string[],
  env: Environment,
): BackupOptions {
  const used = rows.filter(({ usedBy }) => usedBy.includes(command))
  const { words, flags, problems } = readFlags(args, used)
  const all = [...problems, ...words.map((word) => `unexpected argument ${JSON.stringify(word)}`)]
  const options: BackupOptions = { dataDir: defaultServerOptions.dataDir ?? '' }
  for (const { path, env: variable, read, mustBe } of used) {
    const { text, origin } = flags.get(path) ?? { text: env[variable] ?? '', origin: variable }
    if (text === '') continue
    const put = read(text)
    if (put === undefined) all.push(`${origin} must be ${mustBe}`)
    else put(options)
  }
  all.push(...missing(command, options), ...exclusive(command, flags))
  if (all.length > 0) throw new UsageError(all)
  return options
}

function missing(command: BackupCommand, options: BackupOptions): string[] {
  if (command === 'backup' && options.out === undefined) return ['--out is required']
  if (command === 'restore' && options.from === undefined) return ['--from is required']
  return []
}

/** Problems of two flags that name two sources. */
function exclusive(command: BackupCommand, flags: GivenValues): string[] {
  if (command === 'restore' || !flags.has('dataDir')) return []
  const other = ['kubeconfig', 'from'].find((name) => flags.has(name))
  return other === undefined ? [] : [`--${other} and --data-dir exclude each other`]
}
