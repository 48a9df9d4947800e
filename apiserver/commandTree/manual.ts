import type { CommandTree } from './candidates.ts'
import type { CommandShape, FlagSpec } from './commandShape.ts'

/** Manual page: its file name and its source for man. */
export interface ManualPage {
  file: string
  text: string
}

/** Contents of the pages other than the commands. */
export interface Manual extends CommandTree {
  /** Program name. */
  name: string
  summary: string
  version: string
  /** Exit codes and their meanings. */
  exitCodes: readonly (readonly [code: string, meaning: string])[]
  /** Environment variables and their meanings. */
  variables: readonly (readonly [name: string, meaning: string])[]
}

/** Page of the program, and a page for each command. Source: man-pages(7). */
export function manualPages(manual: Manual): ManualPage[] {
  const shown = manual.commands.filter(({ isHidden }) => isHidden !== true)
  return [programPage(shown, manual), ...shown.map((command) => commandPage(command, manual))]
}

function titleOf(name: string, { words }: CommandShape): string {
  return `${name}-${words.replaceAll(' ', '-')}`
}

function programPage(commands: readonly CommandShape[], manual: Manual): ManualPage {
  const { name, version, summary, exitCodes, variables } = manual
  const entries = commands.map(
    (command) => `.TP\n\\fB${escaped(titleOf(name, command))}\\fR(1)\n${escaped(command.summary)}`,
  )
  const text = [
    heading(name, version),
    section('NAME', `${escaped(name)} \\- ${escaped(summary)}`),
    section('SYNOPSIS', `\\fB${escaped(name)}\\fR \\fICOMMAND\\fR [\\fIFLAGS\\fR]`),
    section('COMMANDS', entries.join('\n')),
    section('EXIT STATUS', entriesOf(exitCodes)),
    section('ENVIRONMENT', entriesOf(variables)),
  ]
  return { file: `${name}.1`, text: text.join('') }
}

function commandPage(command: CommandShape, manual: Manual): ManualPage {
  const { name, version, globalFlagsOf } = manual
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

/** Section; omitted if it has no content. */
function section(title: string, content: string): string {
  return content === '' ? '' : `.SH ${title}\n${content}\n`
}

function flagEntry({ flags, description, choices, default: otherwise }: FlagSpec): string {
  const oneOf = choices === undefined ? '' : `; one of ${choices.join(', ')}`
  const fallback = otherwise === undefined ? '' : `; default ${otherwise}`
  return `.TP\n\\fB${escaped(flags)}\\fR\n${escaped(description + oneOf + fallback)}`
}

function entriesOf(rows: Manual['variables']): string {
  return rows.map(([name, text]) => `.TP\n\\fB${escaped(name)}\\fR\n${escaped(text)}`).join('\n')
}

/** Escaped line: backslashes, dashes and a leading dot have a special meaning in man pages. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(['.])/gm, '\\&$1')
}
