import { CliError, exitCodes } from './base/cliError.ts'
import { isPluginCompletion, programAt } from './base/program.ts'
import { Terminal } from './base/terminal.ts'

type Process = Pick<NodeJS.Process, 'argv' | 'env' | 'stdin' | 'stdout' | 'stderr' | 'exit' | 'on'>

/** Time for a command to end by itself after a signal. */
const graceMs = 1_000

/** Runs the command line of a process. @returns the exit code. */
export async function run(process: Process): Promise<number> {
  const { argv, env, stdin: input, stdout: output, stderr: error } = process
  const path = argv[1] ?? ''
  const program = programAt(path)
  const terminal = new Terminal({ input, output, error })
  const stop = new AbortController()
  const interrupt = (signal: string) => {
    if (signal === 'SIGINT' && terminal.isLent) return
    // Operations that ignore the signal, such as a read of standard input, are not awaited.
    if (!stop.signal.aborted) setTimeout(() => process.exit(exitCodes.interrupted), graceMs).unref()
    stop.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt)
  try {
    const words = isPluginCompletion(path) ? ['__complete', '--', ...argv.slice(2)] : argv.slice(2)
    const [{ parseWords }, { allCommands }] = await Promise.all([
      import('./parser.ts'),
      import('./tree/allCommands.ts'),
    ])
    const found = await parseWords(words, allCommands, { program, terminal })
    if (found === undefined) return exitCodes.ok
    const { command, args, flags } = found
    if (flags.is('quiet')) terminal.beQuiet()
    const call = { program, env, terminal, args, flags, signal: stop.signal, commands: allCommands }
    await command.run(call)
    return exitCodes.ok
  } catch (thrown) {
    return report(thrown, stop.signal)
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
