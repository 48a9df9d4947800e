import {
  serverOptions,
  type ServedStorage,
  type ServerOptions,
} from '../../runtime/serverOptions.ts'
import { StartError } from '../../runtime/startError.ts'
import type { CommandLine, Given } from './commandLine.ts'
import { jointProblems } from './jointProblems.ts'
import type { Draft, KnownStorage, Setting } from './setting.ts'
import { configFileSetting, settings } from './settings.ts'
import { readSettingsFile } from './settingsFile.ts'
import { UsageError } from './usageError.ts'

/** The environment; an empty variable counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Server options from flags, environment and settings file, in that order of precedence, with defaults filled in.
 * @throws UsageError with a sentence for each problem, including those of the command line; StartError for a storage
 * that this version does not support.
 */
export async function loadConfig(line: CommandLine, env: Environment): Promise<ServerOptions> {
  const file = line.flags.get(configFileSetting.path) ?? fromEnvironment(configFileSetting, env)
  const inFile = file === undefined ? undefined : await readSettingsFile(file.text)
  const draft: Draft = { names: {}, history: {}, delegation: {} }
  const problems = [...line.problems, ...(inFile?.problems ?? [])]
  for (const setting of settings) {
    const { path } = setting
    const given = line.flags.get(path) ?? fromEnvironment(setting, env) ?? inFile?.values.get(path)
    if (given !== undefined) problems.push(...assign(draft, setting, given))
  }
  problems.push(...jointProblems(draft, ({ flag }) => `--${flag}`))
  if (problems.length > 0) throw new UsageError(problems)
  return finish(draft)
}

function assign(
  draft: Draft,
  { read, mustBe, secret }: Setting,
  { origin, text }: Given,
): string[] {
  const put = read(text)
  put?.(draft)
  return put === undefined
    ? [`${origin} must be ${mustBe}${secret ? '' : `; it is ${JSON.stringify(text)}`}`]
    : []
}

function fromEnvironment({ env: name }: Setting, env: Environment): Given | undefined {
  const text = env[name]
  return text === undefined || text === '' ? undefined : { text, origin: name }
}

function finish({ storage, ...draft }: Draft): ServerOptions {
  return serverOptions({
    ...draft,
    ...(storage === undefined ? {} : { storage: servedStorage(storage) }),
  })
}

/** Refuses storages of the contract that this version does not support. */
export function servedStorage(storage: KnownStorage): ServedStorage {
  if (storage !== 'etcd') return storage
  throw new StartError('storage etcd is not supported in this version; use level or memory')
}
