import type { CommandShape } from '../../apiserver/commandTree/commandShape.ts'
import type { Flags } from './flags.ts'
import type { Program } from './program.ts'
import type { Terminal } from './terminal.ts'

export type { ArgumentSpec, FlagSpec, LiveNames } from '../../apiserver/commandTree/commandShape.ts'

/** Command as data, from which parsing, help, completion and manual pages are derived. */
export interface CommandSpec extends CommandShape {
  run: (call: Call) => Promise<void>
}

/** Invocation of a command. */
export interface Call {
  program: Program
  /** Environment variables of the process. */
  env: Readonly<Record<string, string | undefined>>
  terminal: Terminal
  /** Positional arguments in order; omitted ones are missing at the end. */
  args: readonly string[]
  flags: Flags
  /** Aborted by SIGINT or SIGTERM. */
  signal: AbortSignal
  /** Every command, for completion and manual pages. */
  commands: readonly CommandSpec[]
}
