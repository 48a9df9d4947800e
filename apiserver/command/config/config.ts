import { serverOptions, type ServerOptions } from '../../runtime/options/serverOptions.ts'
import type { CommandLine, Given } from './commandLine.ts'
import { jointProblems } from './jointProblems.ts'
import type { Draft, Setting } from './setting.ts'
import { configFileSetting, settings } from './settings.ts'
import { readSettingsFile } from './settingsFile.ts'
import { UsageError } from './usageError.ts'

/** The environment, in which an empty variable counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Options from flags, environment and settings file, in this order of precedence, with defaults.
 * @throws UsageError with a sentence for each problem, including those of the command line.
 */
export async function loadConfig(line: CommandLine, env: Environment): Promise<ServerOptions> {
  const file = line.flags.get(configFileSetting.path) ?? fromEnvironment(configFileSetting, env)
  const inFile = file === undefined ? undefined : await readSettingsFile(file.text)
  const draft: Draft = { names: {}, history: {}, tracing: {}, delegation: {}, etcd: {}, backup: {} }
  const problems = [...line.problems, ...(inFile?.problems ?? [])]
  for (const setting of settings) {
    const { path } = setting
    const given = line.flags.get(path) ?? fromEnvironment(setting, env) ?? inFile?.values.get(path)
    if (given !== undefined) problems.push(...assign(draft, setting, given))
  }
  problems.push(...jointProblems(draft, ({ flag }) => `--${flag}`))
  if (problems.length > 0) throw new UsageError(problems)
  return serverOptions(draft)
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
