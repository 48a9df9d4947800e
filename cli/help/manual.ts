import type { CommandSpec, FlagSpec } from '../base/commandSpec.ts'
import { globalFlagsOf } from '../base/globalFlags.ts'
import type { Program } from '../base/program.ts'

/** A manual page: its file and its text for man. */
export interface ManualPage {
  file: string
  text: string
}

/** The page of the program and one of each command. Source: man-pages(7). */
export function manualPages(
  commands: readonly CommandSpec[],
  { name }: Program,
  version: string,
): ManualPage[] {
  const shown = commands.filter(({ isHidden }) => isHidden !== true)
  const pages = shown.map((command) => commandPage(command, name, version))
  return [programPage(shown, name, version), ...pages]
}

function titleOf(name: string, { words }: CommandSpec): string {
  return `${name}-${words.replaceAll(' ', '-')}`
}

function programPage(commands: readonly CommandSpec[], name: string, version: string): ManualPage {
  const entries = commands.map(
    (command) => `.TP\n\\fB${escaped(titleOf(name, command))}\\fR(1)\n${escaped(command.summary)}`,
  )
  const text = [
    heading(name, version),
    section('NAME', `${escaped(name)} \\- command-line client of the management API`),
    section('SYNOPSIS', `\\fB${escaped(name)}\\fR \\fICOMMAND\\fR [\\fIFLAGS\\fR]`),
    section('COMMANDS', entries.join('\n')),
    section('EXIT STATUS', exitStatus),
    section('ENVIRONMENT', environment(name.toUpperCase())),
  ]
  return { file: `${name}.1`, text: text.join('') }
}

function commandPage(command: CommandSpec, name: string, version: string): ManualPage {
  const title = titleOf(name, command)
  const args = (command.args ?? []).map(({ name: arg, isOptional, isVariadic }) => {
    const word = `\\fI${arg}\\fR${isVariadic === true ? '...' : ''}`
    return isOptional === true ? `[${word}]` : word
  })
  const line = `\\fB${escaped(`${name} ${command.words}`)}\\fR ${[...args, '[\\fIFLAGS\\fR]'].join(' ')}`
  const examples = (command.examples ?? []).map(
    ([example, what]) =>
      `${escaped(what)}:\n.PP\n.nf\n    ${escaped(`${name} ${example}`)}\n.fi\n.PP`,
  )
  const text = [
    heading(title, version),
    section('NAME', `${escaped(title)} \\- ${escaped(command.summary)}`),
    section('SYNOPSIS', line),
    command.details === undefined ? '' : section('DESCRIPTION', escaped(command.details)),
    section('OPTIONS', (command.flags ?? []).map(flagEntry).join('\n')),
    section('GLOBAL OPTIONS', globalFlagsOf(command).map(flagEntry).join('\n')),
    section('EXAMPLES', examples.join('\n')),
    section('SEE ALSO', `\\fB${escaped(name)}\\fR(1)`),
  ]
  return { file: `${title}.1`, text: text.join('') }
}

function heading(title: string, version: string): string {
  return `.TH "${escaped(title.toUpperCase())}" "1" "" "${escaped(version)}" "User Commands"\n`
}

/** A section; without content it is left out. */
function section(title: string, content: string): string {
  return content === '' ? '' : `.SH ${title}\n${content}\n`
}

function flagEntry({ flags, description, choices, default: otherwise }: FlagSpec): string {
  const oneOf = choices === undefined ? '' : `; one of ${choices.join(', ')}`
  const fallback = otherwise === undefined ? '' : `; default ${otherwise}`
  return `.TP\n\\fB${escaped(flags)}\\fR\n${escaped(description + oneOf + fallback)}`
}

/** Text of a line: a backslash, a dash and a leading dot have a meaning otherwise. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(['.])/gm, '\\&$1')
}

const exitStatus = [
  ['0', 'done'],
  ['1', 'failed'],
  ['2', 'wrong usage'],
  ['3', 'not logged in, or the login has ended'],
  ['4', 'forbidden'],
  ['5', 'not found'],
  ['6', 'conflict: it exists, or was changed in between'],
  ['7', 'waited too long'],
  ['8', 'the server cannot be reached, or is not trusted'],
  ['130', 'interrupted'],
]
  .map(([code, what]) => `.TP\n${code}\n${what}`)
  .join('\n')

function environment(upper: string): string {
  const variables = [
    ['URL', 'server, instead of a stored login; with ACCESS_KEY'],
    ['ACCESS_KEY', 'access key'],
    ['CA_FILE', 'PEM file of the authority of that server'],
    ['INSECURE', 'true: do not verify its certificate'],
    ['PROJECT', 'project of commands without \\-\\-project'],
    ['HOME', 'folder of settings, credentials and caches'],
    ['AUDIT_STORE', 'address of the audit database'],
  ]
  return variables.map(([name, what]) => `.TP\n\\fB${upper}_${name}\\fR\n${what}`).join('\n')
}
