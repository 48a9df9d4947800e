import type { ArgumentSpec, CommandShape, FlagSpec, LiveNames } from './commandShape.ts'

/** Commands of a program. */
export interface CommandTree {
  commands: readonly CommandShape[]
  /** Flags that a command has in addition to its own. */
  globalFlagsOf: (command: CommandShape) => readonly FlagSpec[]
}

/** Completions for the last word of a command line. */
export interface Candidates {
  /** Values with their descriptions, which may be empty. */
  values: [value: string, description: string][]
  /** Kind of names to request from the server; absent: none. */
  live?: LiveNames
  isFile?: boolean
  /** Flags before the last word, by long name without dashes. */
  given: ReadonlyMap<string, string>
  /** Part of the word that precedes every value, such as `--project=`. */
  prefix: string
  /** Positional arguments before the last word. */
  args: readonly string[]
}

/** Candidates for the last word; earlier words are complete. */
export function candidatesFor(tree: CommandTree, words: readonly string[]): Candidates {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const read = readWords(tree, before)
  const none = { values: [], given: read.given, prefix: '', args: read.args }
  const { pending, command } = read
  if (pending !== undefined) return { ...none, ...ofFlag(pending) }
  if (current.startsWith('-')) return flagCandidates(flagsOf(tree, command), current, none)
  if (command === undefined) return { ...none, values: nextWords(tree.commands, read.path) }
  const specs = command.args ?? []
  const last = specs.at(-1)
  const argument = specs[read.args.length] ?? (last?.isVariadic === true ? last : undefined)
  if (argument !== undefined) return { ...none, ...ofArgument(argument) }
  return read.args.length > 0 ? none : { ...none, values: nextWords(tree.commands, read.path) }
}

/** Lines for a completion script: the candidates that begin with the current word, then `:0` for files or `:4`. */
export function candidateLines(
  { values, prefix, isFile }: Candidates,
  names: readonly string[],
  current: string,
): string {
  const all = [...values, ...names.map((name): [string, string] => [name, ''])]
  const lines = all
    .map(([value, description]) => [prefix + value, description] as const)
    .filter(([value]) => value.startsWith(current))
    .map(([value, description]) => (description === '' ? value : `${value}\t${description}`))
  return [...lines, isFile === true ? ':0' : ':4', ''].join('\n')
}

interface Read {
  /** Words of the command read so far. */
  path: string[]
  command: CommandShape | undefined
  args: string[]
  given: Map<string, string>
  /** Flag that still expects a value. */
  pending: FlagSpec | undefined
}

function readWords(tree: CommandTree, words: readonly string[]): Read {
  const read: Read = {
    path: [],
    command: undefined,
    args: [],
    given: new Map(),
    pending: undefined,
  }
  for (const word of words) {
    if (read.pending !== undefined) {
      read.given.set(nameOf(read.pending), word)
      read.pending = undefined
    } else if (word.startsWith('-')) readFlag(read, word, flagsOf(tree, read.command))
    else readWord(read, word, tree)
  }
  return read
}

/** Reads a word: part of a command, which may be incomplete, or an argument. */
function readWord(read: Read, word: string, { commands }: CommandTree): void {
  const path = [...read.path, word]
  const longer = read.args.length > 0 ? undefined : commands.find((each) => isNamed(each, path))
  if (longer === undefined && read.command !== undefined) return void read.args.push(word)
  read.path = path
  read.command = longer
}

function readFlag(read: Read, word: string, flags: readonly FlagSpec[]): void {
  const [name = '', value] = word.split(/=(.*)/s)
  const flag = flags.find((each) => spellings(each).includes(name))
  if (flag === undefined) return
  if (value !== undefined) read.given.set(nameOf(flag), value)
  else if (takesValue(flag)) read.pending = flag
}

function isNamed({ words, aliases = [] }: CommandShape, path: readonly string[]): boolean {
  const own = words.split(' ')
  const last = own.at(-1) ?? ''
  const isHere = own.slice(0, -1).join(' ') === path.slice(0, -1).join(' ')
  return isHere && own.length === path.length && [last, ...aliases].includes(path.at(-1) ?? '')
}

function nextWords(commands: readonly CommandShape[], path: readonly string[]): [string, string][] {
  const found = new Map<string, string>()
  for (const { words, summary, isHidden } of commands) {
    const own = words.split(' ')
    if (isHidden === true || own.slice(0, path.length).join(' ') !== path.join(' ')) continue
    const next = own[path.length]
    if (next !== undefined && !found.has(next))
      found.set(next, own.length === path.length + 1 ? summary : '')
  }
  return [...found]
}

function flagsOf(
  { globalFlagsOf }: CommandTree,
  command: CommandShape | undefined,
): readonly FlagSpec[] {
  return command === undefined ? [] : [...(command.flags ?? []), ...globalFlagsOf(command)]
}

function flagCandidates(flags: readonly FlagSpec[], current: string, none: Candidates): Candidates {
  const [name = '', value] = current.split(/=(.*)/s)
  const flag = flags.find((each) => spellings(each).includes(name))
  if (value !== undefined && flag !== undefined)
    return { ...none, ...ofFlag(flag), prefix: `${name}=` }
  const values = flags.map((each): [string, string] => [`--${nameOf(each)}`, each.description])
  return { ...none, values: [...values, ['--help', 'show help']] }
}

function ofFlag({
  choices,
  live,
  isFile,
}: FlagSpec): Pick<Candidates, 'values' | 'live' | 'isFile'> {
  const values = (choices ?? []).map((choice): [string, string] => [choice, ''])
  return { values, ...(live === undefined ? {} : { live }), ...(isFile === true ? { isFile } : {}) }
}

function ofArgument({ choices, live }: ArgumentSpec): Pick<Candidates, 'values' | 'live'> {
  const values = (choices ?? []).map((choice): [string, string] => [choice, ''])
  return { values, ...(live === undefined ? {} : { live }) }
}

function spellings({ flags }: FlagSpec): string[] {
  return flags.match(/--?[a-z][\w-]*/g) ?? []
}

/** Long name of a flag, without dashes. */
function nameOf(flag: FlagSpec): string {
  return (spellings(flag).find((each) => each.startsWith('--')) ?? '').slice(2)
}

function takesValue({ flags }: FlagSpec): boolean {
  return /[<[]/.test(flags)
}
