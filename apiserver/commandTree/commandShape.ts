/** Live values offered by completion. */
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
  /** True if it may be omitted. Default: required. */
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
  /** True if the flag may be repeated; its values are a list. */
  isRepeated?: boolean
  live?: LiveNames
  /** True if the value is a file. */
  isFile?: boolean
}

/** A command as data, without its program: completion and manual pages are derived from it. */
export interface CommandShape {
  /** Words after the program: `create accesskey`. */
  words: string
  aliases?: readonly string[]
  summary: string
  /** Details beyond the summary; plain text. */
  details?: string
  args?: readonly ArgumentSpec[]
  flags?: readonly FlagSpec[]
  /** Command lines without the program name, each with its description. */
  examples?: readonly (readonly [line: string, what: string])[]
  /** True to hide the command in the help. */
  isHidden?: boolean
  /** True if the flags of requests apply: context, project, output and others. Default true. */
  isRemote?: boolean
}
