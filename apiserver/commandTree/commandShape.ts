/** Names that completion requests from the server. */
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
  /** Name in upper case, as in help: NAME. */
  name: string
  description: string
  /** True if the argument may be omitted. Default: false. */
  isOptional?: boolean
  isVariadic?: boolean
  choices?: readonly string[]
  live?: LiveNames
}

export interface FlagSpec {
  /** Flag in the syntax of commander: `-o, --output <format>`. */
  flags: string
  description: string
  choices?: readonly string[]
  default?: string
  /** True if the flag may be repeated; its values form a list. Default: false. */
  isRepeated?: boolean
  live?: LiveNames
  /** True if the value is a file name. Default: false. */
  isFile?: boolean
}

/**
 * A command as data, independent of its program, from which completion and manual pages are
 * derived.
 */
export interface CommandShape {
  /** Words after the program name: `create accesskey`. */
  words: string
  aliases?: readonly string[]
  summary: string
  /** Details beyond the summary, as plain text. */
  details?: string
  args?: readonly ArgumentSpec[]
  flags?: readonly FlagSpec[]
  /** Example command lines without the program name, each with a description. */
  examples?: readonly (readonly [line: string, what: string])[]
  /** True if help omits the command. Default: false. */
  isHidden?: boolean
  /** True if the flags for requests apply: context, project, output and others. Default: true. */
  isRemote?: boolean
}
