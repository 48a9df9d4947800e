import { parseCommandLine, type CommandLine } from './config/commandLine.ts'
import { loadConfig, type Environment } from './config/config.ts'
import { helpText } from './config/help.ts'
import { UsageError } from './config/usageError.ts'
import type { RunningServer, ServerOptions } from './serverOptions.ts'
import { describeStartFailure } from './startFailure.ts'
import { serverVersion } from './version.ts'

/** What the command line touches of the process around it. */
export interface Surroundings {
  env: Environment
  /** Resolves when the text has left the process. */
  writeOut(text: string): Promise<void>
  writeError(text: string): void
  /** Resolves when the process is asked to stop, also when that was before the call. */
  stopRequested: Promise<void>
  startServer(options: ServerOptions): Promise<RunningServer>
}

/** Runs `platform-apiserver` with these arguments.
 *  @returns the exit code: 0 done or stopped, 1 could not start or stop, 2 wrong usage. */
export async function runCommand(args: readonly string[], around: Surroundings): Promise<number> {
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
  try {
    const server = await around.startServer(await loadConfig(line, around.env))
    await around.writeOut(`serving ${server.url}\n`)
    await around.stopRequested
    await server.stop()
    return 0
  } catch (error) {
    if (error instanceof UsageError) return reportUsage(error.problems, around)
    around.writeError(`platform-apiserver: ${describeStartFailure(error)}\n`)
    return 1
  }
}

function reportUsage(problems: readonly string[], around: Surroundings): number {
  for (const problem of problems) around.writeError(`platform-apiserver: ${problem}\n`)
  around.writeError('platform-apiserver --help shows every flag\n')
  return 2
}
