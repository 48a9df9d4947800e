import { candidateLines, candidatesFor } from '../commandTree/candidates.ts'
import { manualPages } from '../commandTree/manual.ts'
import { completionScript, shells } from '../commandTree/scripts.ts'
import { serverVersion } from '../runtime/serverVersion.ts'
import { commandShapes, environmentVariables } from './config/commandShapes.ts'
import { UsageError } from './config/usageError.ts'

const program = 'platform-apiserver'
const tree = { commands: commandShapes, globalFlagsOf: () => [] }

/** The completion script of a shell. @throws UsageError for another shell. */
export function shellScript(args: readonly string[]): string {
  const shell = shells.find((each) => each === args[0])
  if (shell === undefined || args.length > 1)
    throw new UsageError([`completion takes the name of a shell: one of ${shells.join(', ')}`])
  return completionScript(shell, program)
}

/** Candidates for the last word, as lines for a completion script. */
export function completions(args: readonly string[]): string {
  // PowerShell cannot pass an empty word, so its script sends quotation marks.
  const words = args.slice(args[0] === '--' ? 1 : 0).map((word) => (word === '""' ? '' : word))
  return candidateLines(candidatesFor(tree, words), [], words.at(-1) ?? '')
}

/**
 * Manual page of the program, or of the command that these words name. @throws UsageError if there
 * is no such page.
 */
export function manualPage(words: readonly string[]): string {
  const pages = manualPages({
    ...tree,
    name: program,
    summary: 'a management API server that speaks the Kubernetes API conventions',
    version: serverVersion(),
    exitCodes: [
      ['0', 'done, or stopped by a signal'],
      ['1', 'failed, or was forced to end'],
      ['2', 'wrong usage'],
    ],
    variables: environmentVariables,
  })
  const file = `${[program, ...words].join('-')}.1`
  const page = pages.find((each) => each.file === file)
  if (page !== undefined) return page.text
  throw new UsageError([`there is no manual page of ${JSON.stringify(words.join(' '))}`])
}
