import { allCommands } from './tree/allCommands.ts'
import { CliError, exitCodes } from './base/cliError.ts'
import { isPluginCompletion, programAt } from './base/program.ts'
import { buildParser, type Found } from './parser.ts'
import { Terminal } from './base/terminal.ts'

type Process = Pick<NodeJS.Process, 'argv' | 'env' | 'stdin' | 'stdout' | 'stderr' | 'once'>

/** Runs the command line of a process. @returns the exit code. */
export async function run(process: Process): Promise<number> {
  const { argv, env, stdin: input, stdout: output, stderr: error } = process
  const path = argv[1] ?? ''
  const program = programAt(path)
  const terminal = new Terminal({ input, output, error }, env)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  try {
    const words = isPluginCompletion(path) ? ['__complete', '--', ...argv.slice(2)] : argv.slice(2)
    const found = await parse(words)
    if (found === undefined) return exitCodes.ok
    const { command, args, flags } = found
    if (flags.is('quiet')) terminal.beQuiet()
    const call = { program, env, terminal, args, flags, signal: stop.signal, commands: allCommands }
    await command.run(call)
    return exitCodes.ok
  } catch (thrown) {
    return report(thrown, stop.signal)
  }

  async function parse(words: readonly string[]): Promise<Found | undefined> {
    return buildParser(allCommands, program, terminal).parse(words)
  }

  async function report(thrown: unknown, signal: AbortSignal): Promise<number> {
    const { describeFailure } = await import('./failure.ts')
    const failure = signal.aborted
      ? new CliError('interrupted', { code: exitCodes.interrupted })
      : describeFailure(thrown, program)
    if (failure.message !== '') terminal.err(`${program.called}: ${failure.message}`)
    if (failure.hint !== '') terminal.err(failure.hint)
    return failure.code
  }
}
