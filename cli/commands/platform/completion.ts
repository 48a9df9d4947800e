import type { Call } from '../../base/commandSpec.ts'
import { candidateLines, candidatesFor } from '../../../apiserver/commandTree/candidates.ts'
import { completionScript, shells } from '../../../apiserver/commandTree/scripts.ts'
import { globalFlagsOf } from '../../base/globalFlags.ts'
import { liveNames } from '../../completion/liveNames.ts'

/** Prints the completion script of a shell. */
export async function completion(call: Call): Promise<void> {
  const shell = shells.find((each) => each === call.args[0]) ?? 'bash'
  await call.terminal.out(completionScript(shell, call.program.name))
}

/** Prints the candidates for the last word, in the format that kubectl expects of plugins. */
export async function complete(call: Call): Promise<void> {
  // PowerShell cannot pass an empty word.
  const words = call.args.map((word) => (word === '""' ? '' : word))
  const current = words.at(-1) ?? ''
  const found = candidatesFor({ commands: call.commands, globalFlagsOf }, words)
  const names = found.live === undefined ? [] : await liveNames(call, found.live, found.given)
  await call.terminal.out(candidateLines(found, names, current))
}
