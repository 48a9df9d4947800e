import { parseCommandLine, readFlags, type CommandLine } from './config/commandLine.ts'
import { loadConfig, type Environment } from './config/config.ts'
import { readBackupOptions, type BackupCommand } from './config/backupSettings.ts'
import {
  backupHelpText,
  doctorHelpText,
  envtestHelpText,
  helpText,
  kubeconfigHelpText,
  storageHelpText,
  syncHelpText,
} from './config/help.ts'
import { readKubeconfigOptions } from './config/kubeconfigSettings.ts'
import { moveSettings, readMove } from './config/moveSettings.ts'
import { configFileSetting, settings } from './config/settings.ts'
import { diagnose } from './doctorCommand.ts'
import { readSyncOptions } from './config/syncSettings.ts'
import { UsageError } from './config/usageError.ts'
import type { RunningServer, ServerOptions } from '../runtime/options/serverOptions.ts'
import type { Finding } from '../runtime/finding.ts'
import type { StorageMove } from '../runtime/options/storageMove.ts'
import { completions, manualPage, shellScript } from './shellCommands.ts'
import { describeStartFailure } from './startFailure.ts'
import { realClock } from '../runtime/realClock.ts'
import { serverVersion } from '../runtime/serverVersion.ts'

/** The process as seen by the command line. */
export interface Surroundings {
  env: Environment
  /** Resolves when the string was written. */
  writeOut(text: string): Promise<void>
  writeError(text: string): void
  /** Resolves when the process is asked to stop, even if that happened before the call. */
  stopRequested: Promise<void>
  startServer(options: ServerOptions): Promise<RunningServer>
  /** Runs with the command line of kube-apiserver. Returns the exit code. */
  runKubeApiserver(args: readonly string[], describe: (error: unknown) => string): Promise<number>
  /**
   * Writes the executables that envtest expects to a folder. Returns the link target of kubectl, if
   * any.
   */
  writeEnvtest(folder: string): Promise<{ kubectl: string | undefined }>
  /** Checks the machine and, unless the options are undefined, the paths and ports in them. */
  examine(options: ServerOptions | undefined): Promise<Finding[]>
  /** Rewrites the stored objects, or copies them to another storage; resolves to the result as a sentence.
   *  @throws StartError, StorageError. */
  migrateStorage(options: ServerOptions, move: StorageMove | undefined): Promise<string>
}

type Command = (args: readonly string[], around: Surroundings) => Promise<number>

/** Creates a command that only prints a string. */
function printing(textOf: (args: readonly string[]) => string): Command {
  return (args, around) => reported(around, async () => around.writeOut(textOf(args)))
}

function backing(command: BackupCommand): Command {
  return (args, around) => runBackupCommand(command, args, around)
}

/** Commands other than serve, by their first word. */
const commands: Readonly<Record<string, Command>> = {
  __complete: printing(completions),
  completion: printing(shellScript),
  man: printing(manualPage),
  ...{ backup: backing('backup'), restore: backing('restore'), verify: backing('verify') },
  ...{ doctor, envtest: writeEnvtest, kubeconfig, storage, sync: syncOrExplain },
  'kube-apiserver': (args, around) => around.runKubeApiserver(args, describeStartFailure),
}

/**
 * Runs `platform-apiserver` with these arguments.
 * @returns the exit code: 0 done or stopped, 1 could not start or stop, 2 invalid usage.
 */
export async function runCommand(args: readonly string[], around: Surroundings): Promise<number> {
  const [word = '', ...rest] = args
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (command !== undefined) return command(rest, around)
  const line = parseCommandLine(args)
  switch (line.command) {
    case 'help':
      if (line.problems.length > 0) return reportUsage(line.problems, around)
      await around.writeOut(helpText())
      return 0
    case 'version':
      await around.writeOut(`platform-apiserver ${serverVersion()}\n`)
      return 0
    case 'serve':
      return serve(line, around)
  }
}

async function serve(line: CommandLine, around: Surroundings): Promise<number> {
  return reported(around, async () => {
    const options = await loadConfig(line, around.env)
    const environment = withoutSecrets(around.env)
    const server = await around.startServer({ ...options, environment })
    await around.writeOut(`serving ${server.url}\n`)
    await around.stopRequested
    await server.stop()
  })
}

async function writeEnvtest(args: readonly string[], around: Surroundings): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    await around.writeOut(envtestHelpText())
    return 0
  }
  const [folder, ...rest] = args
  if (folder === undefined || folder.startsWith('-') || rest.length > 0) {
    return reportUsage(['envtest takes one argument: platform-apiserver envtest DIR'], around)
  }
  return reported(around, async () => {
    const { kubectl } = await around.writeEnvtest(folder)
    const found = kubectl === undefined ? 'kubectl was not found' : `kubectl is ${kubectl}`
    await around.writeOut(`wrote kube-apiserver, etcd and kubectl to ${folder}; ${found}\n`)
  })
}

/**
 * Runs `doctor` with the flags and settings of `serve`. The exit code is 1 if a finding is an
 * error.
 */
async function doctor(args: readonly string[], around: Surroundings): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    await around.writeOut(doctorHelpText())
    return 0
  }
  let isSound = true
  const code = await reported(around, async () => {
    const found = await diagnose(args, around.env, (options) => around.examine(options))
    await around.writeOut(found.text)
    isSound = found.isSound
  })
  return isSound ? code : 1
}

/** Runs `kubeconfig`. The key is written to the new kubeconfig only. */
async function kubeconfig(args: readonly string[], around: Surroundings): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    await around.writeOut(kubeconfigHelpText())
    return 0
  }
  return reported(around, async () => {
    const options = await readKubeconfigOptions(args, around.env)
    const { writeNewKubeconfig } = await import('./kubeconfigCommand.ts') // loads the client library
    around.writeError(`kubeconfig: ${await writeNewKubeconfig(options, around, realClock)}\n`)
  })
}

/** Runs `storage migrate` with the flags and settings of `serve`. */
async function storage(args: readonly string[], around: Surroundings): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    await around.writeOut(storageHelpText())
    return 0
  }
  const [word, ...flags] = args
  if (word !== 'migrate')
    return reportUsage([`unknown command storage ${word ?? ''}; there is storage migrate`], around)
  return reported(around, async () => {
    const line = readFlags(flags, [configFileSetting, ...settings, ...moveSettings])
    const unexpected = line.words.map((one) => `unexpected argument ${JSON.stringify(one)}`)
    const problems = [...line.problems, ...unexpected]
    if (problems.length > 0) throw new UsageError(problems)
    const move = readMove(line.flags)
    const options = await loadConfig({ command: 'serve', ...line, problems }, around.env)
    await around.writeOut(`${await around.migrateStorage(options, move)}\n`)
  })
}

async function syncOrExplain(args: readonly string[], around: Surroundings): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    await around.writeOut(syncHelpText())
    return 0
  }
  return args[0] === 'explain' ? explain(args.slice(1), around) : sync(args, around)
}

async function sync(args: readonly string[], around: Surroundings): Promise<number> {
  return reported(around, async () => {
    const options = readSyncOptions(args, around.env)
    const { syncBetween } = await import('./syncCommand.ts') // loaded on demand, since it is slow to load
    const started = () => around.writeOut(`syncing ${options.name}\n`)
    await syncBetween(options, { stopRequested: around.stopRequested, started })
  })
}

async function explain(args: readonly string[], around: Surroundings): Promise<number> {
  return reported(around, async () => {
    const { explainFiles } = await import('./explainCommand.ts')
    const warn = (text: string) => void around.writeError(`platform-apiserver: warning: ${text}\n`)
    await around.writeOut(await explainFiles(args, { input: process.stdin, warn }))
  })
}

async function runBackupCommand(
  command: BackupCommand,
  args: readonly string[],
  around: Surroundings,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    await around.writeOut(backupHelpText())
    return 0
  }
  return reported(around, async () => {
    const options = readBackupOptions(command, args, around.env)
    const { runBackup } = await import('./backupCommand.ts')
    const writeProgress = (text: string) => around.writeError(`${command}: ${text}\n`)
    const done = await runBackup(command, options, { clock: realClock, writeProgress })
    await around.writeOut(`${done}\n`)
  })
}

/** Runs a command, and turns errors into messages and the exit code. */
async function reported(around: Surroundings, command: () => Promise<void>): Promise<number> {
  try {
    await command()
    return 0
  } catch (error) {
    if (error instanceof UsageError) return reportUsage(error.problems, around)
    around.writeError(`platform-apiserver: ${describeStartFailure(error)}\n`)
    return 1
  }
}

/**
 * Environment without the server's own secrets, which users who may change the platform's
 * configuration could otherwise read through placeholders.
 */
function withoutSecrets(env: Environment): Environment {
  const secrets = new Set(settings.filter(({ secret }) => secret).map((setting) => setting.env))
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.has(name)))
}

function reportUsage(problems: readonly string[], around: Surroundings): number {
  for (const problem of problems) around.writeError(`platform-apiserver: ${problem}\n`)
  around.writeError('platform-apiserver --help shows every flag\n')
  return 2
}
