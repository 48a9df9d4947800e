import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { Setting } from './setting.ts'
import { configFileSetting, settings } from './settings.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** Value as given, and its origin as the start of a sentence in messages. */
export interface Given {
  text: string
  origin: string
}

/** Values by setting path. */
export type GivenValues = ReadonlyMap<string, Given>

export interface CommandLine {
  command: 'help' | 'version' | 'serve'
  flags: GivenValues
  /** Messages, one for each invalid argument. */
  problems: readonly string[]
}

/** Part of a setting needed for parsing flags. */
export type FlagSetting = Pick<Setting, 'flag' | 'path' | 'placeholder' | 'isSwitch'>

const switches: Options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } }

/**
 * Parses the arguments after the program's name. `--help` and `--version` take precedence over
 * everything else; the last occurrence of a flag counts.
 */
export function parseCommandLine(args: readonly string[]): CommandLine {
  return conclude(readFlags(args, [configFileSetting, ...settings]))
}

/** Parses arguments into words and the flags of one table of settings. */
export function readFlags(args: readonly string[], table: readonly FlagSetting[]): Seen {
  const known = new Map(table.map((setting) => [setting.flag, setting]))
  const flags: Options = Object.fromEntries(
    table.map(({ flag, isSwitch }) => [flag, { type: isSwitch ? 'boolean' : 'string' }]),
  )
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...switches, ...flags },
    strict: false, // strict mode stops at the first problem
    tokens: true,
  })
  const seen: Seen = { words: [], flags: new Map(), switches: new Set(), problems: [] }
  for (const token of tokens) {
    if (token.kind === 'positional') seen.words.push(token.value)
    if (token.kind === 'option') addOption(seen, token, known.get(token.name))
  }
  return seen
}

/** The parsed arguments. */
export interface Seen {
  words: string[]
  flags: Map<string, Given>
  switches: Set<string>
  problems: string[]
}

interface OptionToken {
  name: string
  rawName: string
  value: string | undefined
  inlineValue: boolean | undefined
}

function addOption(
  seen: Seen,
  { name, rawName, value, inlineValue }: OptionToken,
  setting: FlagSetting | undefined,
): void {
  if (Object.hasOwn(switches, name)) {
    seen.switches.add(name)
    if (value !== undefined) seen.problems.push(`${rawName} takes no value`)
  } else if (setting === undefined) {
    seen.problems.push(`unknown flag ${rawName}`)
  } else if (setting.isSwitch && value === undefined) {
    seen.flags.set(setting.path, { text: 'true', origin: rawName })
  } else if (value === undefined || value === '' || (inlineValue !== true && isFlag(value))) {
    seen.problems.push(`${rawName} needs a value: ${rawName}=${setting.placeholder}`)
  } else {
    seen.flags.set(setting.path, { text: value, origin: rawName })
  }
}

/** Reports whether a word is a flag; a negative number is treated as a value out of range. */
function isFlag(word: string): boolean {
  return /^-(?!\d)/.test(word)
}

function conclude({ words, flags, switches, problems }: Seen): CommandLine {
  const [command, ...rest] = words
  if (switches.has('help') || command === 'help') return { command: 'help', flags, problems: [] }
  if (switches.has('version')) return { command: 'version', flags, problems: [] }
  const unexpected = rest.map((word) => `unexpected argument ${JSON.stringify(word)}`)
  if (command === 'serve') return { command, flags, problems: [...problems, ...unexpected] }
  if (command !== undefined)
    problems.push(
      `unknown command ${JSON.stringify(command)}; the commands are serve, sync, backup, restore, verify, kubeconfig, doctor, storage, envtest, completion and man`,
    )
  else if (flags.size > 0) problems.push('a command must come first: platform-apiserver serve')
  return { command: 'help', flags, problems }
}
