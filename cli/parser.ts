import { Argument, Command, CommanderError, Option } from 'commander'
import type { ArgumentSpec, CommandSpec, FlagSpec } from './base/commandSpec.ts'
import { Flags } from './base/flags.ts'
import { versionLine, type Program } from './base/program.ts'
import type { Terminal } from './base/terminal.ts'
import { globalFlagsOf, groupSummaries } from './base/globalFlags.ts'
import { givenWords } from './givenWords.ts'
import { usageErrorOf } from './usageErrors.ts'

/** Command with its arguments and flags. */
export interface Found {
  command: CommandSpec
  args: readonly string[]
  flags: Flags
}

/** Parses a command line; undefined: it requested help or the version, which was printed. @throws CliError usage. */
export async function parseWords(
  given: readonly string[],
  commands: readonly CommandSpec[],
  { program, terminal }: { program: Program; terminal: Terminal },
): Promise<Found | undefined> {
  let found: Found | undefined
  const words = givenWords(given)
  const root = configured(new Command(program.called), terminal)
    .description(`Command-line client of the ${program.name} management API.`)
    .version(versionLine(program), '--version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', rootHelp(program))
  for (const spec of meantBy(words, commands)) {
    const command = commandAt(root, spec, terminal)
    command.action(() => {
      const args = command.processedArgs.flat().filter((arg) => arg !== undefined)
      found = { command: spec, args: args.map(String), flags: new Flags(command.opts()) }
    })
  }
  try {
    await root.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return undefined
    if (words.length > 0) throw usageErrorOf(error, { words, commands, program })
    root.outputHelp()
  }
  return found
}

/**
 * Commands that a command line may refer to; all of them if it names none. Creating every command
 * takes longer than most commands.
 */
function meantBy(
  [first]: readonly string[],
  commands: readonly CommandSpec[],
): readonly CommandSpec[] {
  const named = commands.filter(({ words }) => words.split(' ')[0] === first)
  return named.length === 0 ? commands : named
}

function configured(command: Command, terminal: Terminal): Command {
  return command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.out(text),
      // Errors are thrown, and printed in one place.
      writeErr: () => undefined,
    })
    .showSuggestionAfterError(true)
}

/** Command of a spec, below its groups, which are created if missing. */
function commandAt(root: Command, spec: CommandSpec, terminal: Terminal): Command {
  const words = spec.words.split(' ')
  const own = words.pop() ?? ''
  let parent = root
  for (const word of words) {
    const known = parent.commands.find((command) => command.name() === word)
    parent =
      known ?? configured(parent.command(word), terminal).description(groupSummaries[word] ?? '')
  }
  const command = configured(parent.command(own, { hidden: spec.isHidden === true }), terminal)
    .aliases(spec.aliases ?? [])
    .summary(spec.summary)
    .description(spec.details === undefined ? spec.summary : `${spec.summary}\n\n${spec.details}`)
  for (const arg of spec.args ?? []) command.addArgument(argumentOf(arg))
  for (const flag of spec.flags ?? []) command.addOption(optionOf(flag))
  for (const flag of globalFlagsOf(spec)) {
    command.addOption(optionOf(flag).helpGroup('Global flags:'))
  }
  return command.addHelpText('after', examplesOf(spec, root.name()))
}

function argumentOf({
  name,
  isVariadic,
  isOptional,
  description,
  choices,
}: ArgumentSpec): Argument {
  const shape = `${name}${isVariadic === true ? '...' : ''}`
  const argument = new Argument(isOptional === true ? `[${shape}]` : `<${shape}>`, description)
  return choices === undefined ? argument : argument.choices(choices)
}

function optionOf(flag: FlagSpec): Option {
  const option = new Option(flag.flags, flag.description)
  if (flag.choices !== undefined) option.choices(flag.choices)
  if (flag.default !== undefined) option.default(flag.default)
  if (flag.isRepeated === true) {
    option.argParser<string[]>((value, before) => [...(before ?? []), value])
  }
  return option
}

function examplesOf({ examples = [] }: CommandSpec, program: string): string {
  if (examples.length === 0) return ''
  const lines = examples.map(([line, what]) => `  # ${what}\n  ${program} ${line}`)
  return `\nExamples:\n${lines.join('\n\n')}\n`
}

function rootHelp({ called, name }: Program): string {
  const upper = name.toUpperCase()
  return `
Start with "${called} login URL". In pipelines set ${upper}_URL and ${upper}_ACCESS_KEY instead.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not logged in, 4 forbidden, 5 not found, 6 conflict,
7 waited too long, 8 server unreachable or not trusted, 130 interrupted.
`
}
