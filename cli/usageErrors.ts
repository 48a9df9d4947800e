import { CliError, exitCodes } from './base/cliError.ts'
import type { CommandSpec } from './base/commandSpec.ts'
import { globalFlagsOf } from './base/globalFlags.ts'
import type { Program } from './base/program.ts'

/** Error of the parser library. */
interface ParserError {
  code: string
  message: string
}

/** Usage error for an error of the library, such as "error: unknown command 'x'\n(Did you mean y?)", with a hint. */
export function usageErrorOf(
  error: ParserError,
  {
    words,
    commands,
    program,
  }: { words: readonly string[]; commands: readonly CommandSpec[]; program: Program },
): CliError {
  const isBareGroup = error.code === 'commander.help'
  // The value after the name of a flag may be secret.
  const text = error.message
    .replace(/^error: /, '')
    .replace(/^(unknown option '[^'=]+)=.*'/s, "$1'")
  const [first = '', suggestion = ''] = text.split('\n')
  const message = isBareGroup
    ? `"${[program.name, ...words].join(' ')}" needs a subcommand`
    : (withoutValue(first, words, commands) ?? first)
  const hint = suggestion === '' ? helpOf(words, commands) : suggestion
  return new CliError(message, { code: exitCodes.usage, hint })
}

/** Message for a known flag that takes no value; undefined: another error. */
function withoutValue(
  message: string,
  words: readonly string[],
  commands: readonly CommandSpec[],
): string | undefined {
  const [, name] = /^unknown option '(--[\w-]+)'/.exec(message) ?? []
  const isGiven = words.some((word) => word.startsWith(`${name}=`))
  const isKnown = commands.some((spec) =>
    [...(spec.flags ?? []), ...globalFlagsOf(spec)].some(({ flags }) =>
      flags.endsWith(name ?? ' '),
    ),
  )
  return isGiven && isKnown ? `the flag '${name}' takes no value` : undefined
}

/** Help of the intended command or command group. */
function helpOf(words: readonly string[], commands: readonly CommandSpec[]): string {
  for (let length = words.length; length > 0; length--) {
    const begun = words.slice(0, length).join(' ')
    if (commands.some((spec) => spec.words === begun))
      return `Run "$program ${begun} --help" for its arguments and flags.`
    if (commands.some((spec) => spec.words.startsWith(`${begun} `)))
      return `Run "$program ${begun} --help" for its commands.`
  }
  return 'Run "$program --help" for all commands and flags.'
}
