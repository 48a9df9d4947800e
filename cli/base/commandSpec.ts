import type { Flags } from './flags.ts'
import type { Program } from './program.ts'
import type { Terminal } from './terminal.ts'

/** Live values that completion offers. */
export type LiveNames =
  | 'accesskeys'
  | 'clusters'
  | 'contexts'
  | 'projects'
  | 'secrets'
  | 'spaces'
  | 'teams'
  | 'templates'
  | 'users'
  | 'virtualclusters'

export interface ArgumentSpec {
  /** Upper case, as in help: NAME. */
  name: string
  description: string
  /** Default: required. */
  isOptional?: boolean
  isVariadic?: boolean
  choices?: readonly string[]
  live?: LiveNames
}

export interface FlagSpec {
  /** Syntax of commander: `-o, --output <format>`. */
  flags: string
  description: string
  choices?: readonly string[]
  default?: string
  /** May be given several times; its values are a list. */
  isRepeated?: boolean
  live?: LiveNames
  /** Whether the value is a file. */
  isFile?: boolean
}

/** A command as data: parsing, help, completion and manual pages are derived from it. */
export interface CommandSpec {
  /** Words after the program: `create accesskey`. */
  words: string
  aliases?: readonly string[]
  summary: string
  /** More than the summary; plain text. */
  details?: string
  args?: readonly ArgumentSpec[]
  flags?: readonly FlagSpec[]
  /** Command lines without the program, each with what it does. */
  examples?: readonly (readonly [line: string, what: string])[]
  /** Not in help. */
  isHidden?: boolean
  /** Whether the flags of requests apply: context, project, output and others. Default true. */
  isRemote?: boolean
  run: (call: Call) => Promise<void>
}

/** A run of a command. */
export interface Call {
  program: Program
  /** The environment of the process. */
  env: Readonly<Record<string, string | undefined>>
  terminal: Terminal
  /** Positional arguments in order; those that are left out are missing at the end. */
  args: readonly string[]
  flags: Flags
  /** Aborted by SIGINT or SIGTERM. */
  signal: AbortSignal
  /** Every command, for completion and manual pages. */
  commands: readonly CommandSpec[]
}
