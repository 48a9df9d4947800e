import type { Call } from '../../base/commandSpec.ts'
import { candidatesFor } from '../../completion/candidates.ts'
import { liveNames } from '../../completion/liveNames.ts'
import { completionScript, shells } from '../../completion/scripts.ts'

/** Prints the completion script of a shell. */
export async function completion(call: Call): Promise<void> {
  const shell = shells.find((each) => each === call.args[0]) ?? 'bash'
  await call.terminal.out(completionScript(shell, call.program.name))
}

/** Prints the candidates of the last word, as kubectl asks plugins for them. */
export async function complete(call: Call): Promise<void> {
  // PowerShell cannot pass an empty word.
  const words = call.args.map((word) => (word === '""' ? '' : word))
  const current = words.at(-1) ?? ''
  const { values, live, isFile, given, prefix } = candidatesFor(call.commands, words)
  const names = live === undefined ? [] : await liveNames(call, live, given)
  const all = [...values, ...names.map((name): [string, string] => [name, ''])]
  const lines = all
    .map(([value, description]) => [prefix + value, description] as const)
    .filter(([value]) => value.startsWith(current))
    .map(([value, description]) => (description === '' ? value : `${value}\t${description}`))
  await call.terminal.out([...lines, isFile === true ? ':0' : ':4', ''].join('\n'))
}
