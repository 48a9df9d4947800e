import { defaultServerOptions } from '../../runtime/options/serverOptions.ts'
import { readFlags, type GivenValues } from './commandLine.ts'
import type { Environment } from './config.ts'
import { setting, type Setting } from './setting.ts'
import { UsageError } from './usageError.ts'
import { filePath, folderPath, onOrOff, type ValueKind } from './valueKinds.ts'

const backupCommands = ['backup', 'restore', 'verify'] as const
export type BackupCommand = (typeof backupCommands)[number]

/** Options of `platform-apiserver backup`, `restore` and `verify`. */
export interface BackupOptions {
  dataDir: string
  /** File to create; set for `backup`. */
  out?: string
  /** File to read; set for `restore`. */
  from?: string
  /** Kubeconfig of a running server. Absent: the data folder is used. */
  kubeconfig?: string
  /**
   * Selects the objects to restore into a running server: namespace, resource and name. Absent:
   * all.
   */
  namespace?: string
  resource?: string
  name?: string
  /** True to replace existing objects. Default false. */
  replace?: boolean
  /** True for a dry run, which writes nothing. Default false. */
  dryRun?: boolean
  /** File of an EncryptionConfiguration, needed to decrypt encrypted objects. */
  encryptionProviderConfig?: string
}

const objectName: ValueKind<string> = {
  placeholder: 'NAME',
  mustBe: 'a name without slashes',
  parse: (text) => (/^[^/\s]+$/.test(text) ? text : undefined),
}

const resourceName: ValueKind<string> = {
  placeholder: 'PLURAL[.GROUP]',
  mustBe: 'the plural name of a kind in lower case, with a dot and its group',
  parse: (text) => (/^[a-z0-9]+(\.[a-z0-9.-]+)?$/.test(text) ? text : undefined),
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
    'backup: kubeconfig of a running server, for a user with all rights. The backup then lacks the keys and ' +
    'certificates of the data folder.',
  assign: (options: BackupOptions, value) => void (options.kubeconfig = value),
})

/** Settings of a restore into a running server. */
const objectSettings: readonly Setting<BackupOptions>[] = [
  setting('kubeconfig', {
    kind: filePath,
    description:
      'restore: kubeconfig of a running server, into which the objects of --namespace or --resource are restored.',
    assign: (options: BackupOptions, value) => void (options.kubeconfig = value),
  }),
  setting('namespace', {
    kind: objectName,
    description:
      'restore --kubeconfig: restore the objects of this namespace, and the namespace itself if it is gone.',
    assign: (options: BackupOptions, value) => void (options.namespace = value),
  }),
  setting('resource', {
    kind: resourceName,
    description:
      'restore --kubeconfig: restore objects of this kind only: configmaps, or with its group, deployments.apps.',
    assign: (options: BackupOptions, value) => void (options.resource = value),
  }),
  setting('name', {
    kind: objectName,
    description: 'restore --kubeconfig: restore the object with this name. Requires --resource.',
    assign: (options: BackupOptions, value) => void (options.name = value),
  }),
  setting('replace', {
    kind: onOrOff,
    description:
      'restore --kubeconfig: replace objects that exist with other content. Unset: they are left as they are, and the ' +
      'exit code is 1.',
    assign: (options: BackupOptions, value) => void (options.replace = value),
  }),
  setting('dryRun', {
    kind: onOrOff,
    description:
      'restore --kubeconfig: validate each object on the server and print what would be done; nothing is written.',
    assign: (options: BackupOptions, value) => void (options.dryRun = value),
  }),
  setting('encryptionProviderConfig', {
    kind: filePath,
    description:
      'restore --kubeconfig: file of the EncryptionConfiguration with the keys of encrypted objects.',
    assign: (options: BackupOptions, value) => void (options.encryptionProviderConfig = value),
  }),
]

const rows: readonly Row[] = [
  { ...out, usedBy: ['backup'], env: 'PLATFORM_BACKUP_OUT' },
  { ...from, usedBy: ['restore', 'verify'], env: 'PLATFORM_BACKUP_FROM' },
  { ...dataDir, usedBy: backupCommands },
  { ...kubeconfig, usedBy: ['backup'], env: 'PLATFORM_BACKUP_KUBECONFIG' },
  ...objectSettings.map((row) => ({
    ...row,
    usedBy: ['restore'] as const,
    env: row.env.replace('PLATFORM_', 'PLATFORM_RESTORE_'),
  })),
]

/** Settings of one command. */
export function backupSettingsOf(command: BackupCommand): readonly Setting<BackupOptions>[] {
  return rows.filter(({ usedBy }) => usedBy.includes(command))
}

/** All settings of the three commands, in the order of the help. */
export const backupSettings: readonly Setting<BackupOptions>[] = rows.map((row) => ({
  ...row,
  inFile: false,
}))

/**
 * Options from flags and environment, in this order of precedence.
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
  if (command !== 'restore') return []
  return [
    ...(options.from === undefined ? ['--from is required'] : []),
    ...selectionProblems(options),
  ]
}

function selectionProblems({ kubeconfig, namespace, resource, name }: BackupOptions): string[] {
  const isSelecting = namespace !== undefined || resource !== undefined || name !== undefined
  if (kubeconfig === undefined)
    return isSelecting ? ['--namespace, --resource and --name require --kubeconfig'] : []
  if (!isSelecting)
    return [
      '--kubeconfig requires --namespace or --resource: a whole backup is restored into an empty folder',
    ]
  return name !== undefined && resource === undefined ? ['--name requires --resource'] : []
}

/** Problems with two mutually exclusive flags. */
function exclusive(command: BackupCommand, flags: GivenValues): string[] {
  if (!flags.has('dataDir')) return []
  if (command === 'restore')
    return flags.has('kubeconfig') ? ['--kubeconfig and --data-dir exclude each other'] : []
  const other = ['kubeconfig', 'from'].find((name) => flags.has(name))
  return other === undefined ? [] : [`--${other} and --data-dir exclude each other`]
}
