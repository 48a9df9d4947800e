import { logLevels, type LogLevel } from '../../runtime/options/serverOptions.ts'
import { readFlags, type Given } from './commandLine.ts'
import type { Environment } from './config.ts'
import { setting, type Setting } from './setting.ts'
import { UsageError } from './usageError.ts'
import { choice, count, dnsSubdomain, filePath, type ValueKind } from './valueKinds.ts'

/** Options of `platform-apiserver sync`. */
export interface SyncOptions {
  virtualKubeconfig: string
  hostKubeconfig: string
  /** YAML file of the virtual cluster's configuration; undefined: defaults. */
  config?: string
  name: string
  hostNamespace: string
  namesDomain: string
  missingExpression: 'keep' | 'drop'
  concurrency: number
  logLevel: LogLevel
}

type SyncDraft = Partial<SyncOptions>

const defaults = {
  namesDomain: 'platform',
  missingExpression: 'keep',
  concurrency: 8,
  logLevel: 'info',
} as const

const objectName: ValueKind<string> = {
  placeholder: 'NAME',
  mustBe: 'a lower case name of at most 63 letters, digits and -',
  parse: (text) => (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text) ? text : undefined),
}

const table: readonly Setting<SyncDraft>[] = [
  setting('virtualKubeconfig', {
    kind: filePath,
    description: "Kubeconfig of the virtual cluster's API.",
    assign: (draft: SyncDraft, value) => void (draft.virtualKubeconfig = value),
  }),
  setting('hostKubeconfig', {
    kind: filePath,
    description: "Kubeconfig of the host's API.",
    assign: (draft: SyncDraft, value) => void (draft.hostKubeconfig = value),
  }),
  setting('hostNamespace', {
    kind: objectName,
    description: 'Host namespace of the virtual cluster.',
    assign: (draft: SyncDraft, value) => void (draft.hostNamespace = value),
  }),
  setting('name', {
    kind: objectName,
    description: 'Name of the virtual cluster.',
    assign: (draft: SyncDraft, value) => void (draft.name = value),
  }),
  setting('config', {
    kind: filePath,
    description:
      "YAML file of the virtual cluster's configuration, with sync.toHost in it; reloaded when it changes. An " +
      'invalid file is logged and the previous configuration stays in effect.',
    assign: (draft: SyncDraft, value) => void (draft.config = value),
  }),
  setting('namesDomain', {
    kind: dnsSubdomain,
    default: defaults.namesDomain,
    description: 'Labels and annotations of host objects are vcluster.DOMAIN/…',
    assign: (draft: SyncDraft, value) => void (draft.namesDomain = value),
  }),
  setting('missingExpression', {
    kind: choice<'keep' | 'drop'>(['keep', 'drop']),
    default: defaults.missingExpression,
    description:
      'How to handle a field whose patch has an expression for the other direction only. keep: leave it as it is. ' +
      'drop: do not sync it.',
    assign: (draft: SyncDraft, value) => void (draft.missingExpression = value),
  }),
  setting('concurrency', {
    kind: count,
    default: defaults.concurrency,
    description: 'Maximum number of objects processed at the same time.',
    assign: (draft: SyncDraft, value) => void (draft.concurrency = Math.max(1, value)),
  }),
  setting('logLevel', {
    kind: choice(logLevels),
    default: defaults.logLevel,
    description: 'Lowest severity of log lines to write. Logs are JSON lines on standard error.',
    assign: (draft: SyncDraft, value) => void (draft.logLevel = value),
  }),
]

/**
 * All settings of `sync`, in the order of the help. Their environment variables differ from those
 * of `serve`.
 */
export const syncSettings: readonly Setting<SyncDraft>[] = table.map((one) => ({
  ...one,
  inFile: false,
  env: one.env.replace(/^PLATFORM_/, 'PLATFORM_SYNC_'),
}))

/** Optional settings. */
const optional = new Set(['config', ...Object.keys(defaults)])

/**
 * Options from flags and environment, in this order of precedence.
 * @throws UsageError with a sentence for each problem.
 */
export function readSyncOptions(args: readonly string[], env: Environment): SyncOptions {
  const { words, flags, problems } = readFlags(args, syncSettings)
  const all = [...problems, ...words.map((word) => `unexpected argument ${JSON.stringify(word)}`)]
  const draft: SyncDraft = { ...defaults }
  for (const one of syncSettings) {
    const given = flags.get(one.path) ?? fromEnvironment(one, env)
    if (given !== undefined) all.push(...assign(draft, one, given))
    else if (!optional.has(one.path)) all.push(`--${one.flag} is required`)
  }
  if (all.length > 0) throw new UsageError(all)
  // All required settings are set, since otherwise an error was thrown.
  return draft as SyncOptions
}

function assign(draft: SyncDraft, { read, mustBe }: Setting<SyncDraft>, given: Given): string[] {
  const put = read(given.text)
  put?.(draft)
  return put === undefined ? [`${given.origin} must be ${mustBe}`] : []
}

function fromEnvironment({ env: name }: Setting<SyncDraft>, env: Environment): Given | undefined {
  const text = env[name]
  return text === undefined || text === '' ? undefined : { text, origin: name }
}
